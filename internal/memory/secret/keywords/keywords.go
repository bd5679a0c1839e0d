// Package keywords finds many words in a text in one pass.
package keywords

// A Finder finds many words in a text in one pass, whatever the case of
// their ASCII letters (Aho and Corasick, 1975).
type Finder struct {
	class [256]uint8 // of a byte; 0 are the bytes of no word
	width int        // number of classes
	next  []uint16   // by state × width + class
	out   [][]uint16 // by state: the words that end there
	size  []int      // of each word, in bytes
}

// New prepares words, which are in lower case.
func New(words []string) *Finder {
	k := &Finder{width: 1}
	for _, w := range words {
		k.size = append(k.size, len(w))
		for i := range len(w) {
			if k.class[w[i]] == 0 {
				k.class[w[i]] = uint8(k.width)
				k.width++
			}
		}
	}
	for c := 'A'; c <= 'Z'; c++ {
		k.class[c] = k.class[c+'a'-'A']
	}
	letters := 1
	for _, w := range words {
		letters += len(w)
	}
	k.next, k.out = make([]uint16, 0, letters*k.width), make([][]uint16, 0, letters)
	k.grow()
	for i, w := range words {
		k.plant(w, uint16(i))
	}
	k.link()
	return k
}

// grow adds a state and returns it. The first is where a search begins.
func (k *Finder) grow() uint16 {
	k.next = append(k.next, make([]uint16, k.width)...)
	k.out = append(k.out, nil)
	return uint16(len(k.out) - 1)
}

// plant adds the path of a word to the tree of words.
func (k *Finder) plant(word string, id uint16) {
	state := uint16(0)
	for i := range len(word) {
		at := int(state)*k.width + int(k.class[word[i]])
		if k.next[at] == 0 {
			to := k.grow() // may move k.next
			k.next[at] = to
		}
		state = k.next[at]
	}
	k.out[state] = append(k.out[state], id)
}

// link turns the tree into an automaton: where a word does not go on, the
// longest end of what was read that begins another word does.
func (k *Finder) link() {
	fail := make([]uint16, len(k.out))
	var queue []uint16
	for c := 1; c < k.width; c++ {
		if to := k.next[c]; to != 0 {
			queue = append(queue, to)
		}
	}
	for len(queue) > 0 {
		state := queue[0]
		queue = queue[1:]
		k.out[state] = append(k.out[state], k.out[fail[state]]...)
		for c := 1; c < k.width; c++ {
			at, other := int(state)*k.width+c, k.next[int(fail[state])*k.width+c]
			if k.next[at] == 0 {
				k.next[at] = other
				continue
			}
			fail[k.next[at]] = other
			queue = append(queue, k.next[at])
		}
	}
}

// Scan calls yield for each place where a word stands in s, with its number
// and where it begins and ends, in the order of the ends.
func (k *Finder) Scan(s string, yield func(word uint16, start, end int)) {
	state := 0
	for i := range len(s) {
		state = int(k.next[state*k.width+int(k.class[s[i]])])
		for _, word := range k.out[state] {
			yield(word, i+1-k.size[word], i+1)
		}
	}
}
