package consolidate

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"recollect/internal/text/prose"
)

// keys find what a memory may have to be compared with: those that share one
// of the exact keys and, for one that changes something, all that share a pair
// of words with it.
type keys struct {
	exact   []string
	words   []string // sorted
	alone   []string // words of which one is enough
	changes bool
}

// mayAmend reports whether something in s says that it may change what an earlier one says.
func (s *statement) mayAmend() bool {
	switch {
	case s.whole, s.changes, s.options, s.isRevision():
		return true
	}
	return len(s.givenUp)+len(s.denied) > 0
}

// keysOf are the keys of a decision or a wish: what is chosen and what is not,
// what it is one of, what it answers, how its clauses begin, and the title.
func keysOf(s *node) keys {
	switch {
	case s.subject == nil:
		return keys{}
	case s.says == nil:
		return keys{exact: s.subject.listKeys()}
	}
	k := keys{exact: append(s.subject.listKeys(), s.says.listKeys()...)}
	k.words = slices.Concat(slices.Concat(s.says.denied...), s.says.all, s.says.about)
	k.words = prose.SortedSet(k.words[:min(len(k.words), maxKeyWords)])
	for _, p := range s.says.givenUp {
		if len(p.words) < 3 && (slices.Equal(p.words, s.says.chosen) || s.says.onlyGivesUp(p)) {
			k.alone = append(k.alone, p.words...)
		}
	}
	k.words = prose.SortedSet(append(k.words, k.alone...))
	if s.says.changes && len(s.says.words) == 1 && s.says.isOneNumber() {
		k.alone = append(k.alone, s.says.words...)
	}
	k.changes = s.says.mayAmend()
	return k
}

// maxKeyWords bounds the words whose pairs are looked up.
const maxKeyWords = 40

// listKeys are those for same.
func (s *subject) listKeys() []string {
	c := s.claim
	key := func(kind string, words []string) string {
		return kind + strings.Join(c.scope, " ") + "|" + strings.Join(words, " ")
	}
	keys := []string{"title " + strings.ToLower(s.Title)}
	if topic := cmp.Or(s.question, s.topic); topic != "" {
		keys = append(keys, "topic "+topic)
	}
	for _, thing := range [][]string{c.chosen, c.rejected} {
		if len(thing) > 0 {
			keys = append(keys, key("thing ", thing))
		}
	}
	if word, rest := pickOfFamily(c.chosen); word != "" {
		keys = append(keys, key(fmt.Sprint("one of ", prose.FamilyOf(word), " "), rest))
	}
	return keys
}

// listKeys are those for amends, where nothing announces a change: how the clauses
// begin, the question, and a short answer or what a later statement calls it.
func (s *statement) listKeys() []string {
	var keys []string
	for i := range s.clauses {
		var begin []string
		for _, t := range s.clauses[i].tokens {
			if !t.joins && t.word != "" && len(begin) < 2 {
				begin = append(begin, t.word)
			}
		}
		keys = append(keys, "begin "+strings.Join(prose.SortedSet(begin), " "))
	}
	if len(s.asked) > 1 {
		keys = append(keys, "asked "+strings.Join(s.asked, " "))
	}
	if said := s.chosen; len(said) < 3 {
		keys = append(keys, "answer "+strings.Join(said, " "))
	}
	for _, p := range s.givenUp {
		if len(p.words) < 3 {
			keys = append(keys, "answer "+strings.Join(p.words, " "))
		}
	}
	return keys
}

// pairsOf returns the pairs i < j of all that have to be compared, in order.
func pairsOf(all []*node, keysOf func(*node) keys) [][2]int {
	every := make([]keys, len(all))
	having := map[string][]int{}
	for i, s := range all {
		every[i] = keysOf(s)
		for _, key := range prose.SortedSet(every[i].exact) {
			having[key] = append(having[key], i)
		}
	}
	pairs := map[[2]int]bool{}
	for _, list := range having {
		for n, i := range list {
			for _, j := range list[n+1:] {
				pairs[[2]int{i, j}] = true
			}
		}
	}
	addMeeting(every, pairs)
	return slices.SortedFunc(maps.Keys(pairs), func(a, b [2]int) int { return cmp.Or(a[0]-b[0], a[1]-b[1]) })
}

// addMeeting adds the pairs of one that changes something and another that shares
// two words with it, or the one that is enough.
func addMeeting(every []keys, pairs map[[2]int]bool) {
	number := map[string]int{} // of the words of those that change something
	for _, k := range every {
		for _, word := range k.words {
			if k.changes && number[word] == 0 {
				number[word] = len(number) + 1
			}
		}
	}
	words := make([][]int, len(every))
	changing := map[[2]int][]int{}
	for i, k := range every {
		for _, word := range k.words {
			if n := number[word]; n > 0 {
				words[i] = append(words[i], n)
			}
		}
		slices.Sort(words[i])
		if k.changes {
			eachPair(words[i], func(pair [2]int) { changing[pair] = append(changing[pair], i) })
		}
		for _, word := range k.alone {
			changing[[2]int{number[word]}] = append(changing[[2]int{number[word]}], i)
		}
	}
	for i := range every {
		add := func(pair [2]int) {
			for _, j := range changing[pair] {
				if i != j {
					pairs[[2]int{min(i, j), max(i, j)}] = true
				}
			}
		}
		eachPair(words[i], add)
		for _, n := range words[i] {
			add([2]int{n})
		}
	}
}

// eachPair calls do with each two of the numbers.
func eachPair(numbers []int, do func([2]int)) {
	for i, a := range numbers {
		for _, b := range numbers[i+1:] {
			do([2]int{a, b})
		}
	}
}
