package builtin

import "math/bits"

// Vocabulary maps words to numbers. It is an open hash table over one block of
// text, so that a model of 40,000 words loads in a millisecond.
type Vocabulary struct {
	block []byte   // the words, each after a byte with its length
	at    []uint32 // offset of word i in block
	slots []uint32 // index + 1 of a word; 0 is free
	mask  uint32
}

// NewVocabulary numbers words in the given order. A word has at most 255
// bytes.
func NewVocabulary(words []string) *Vocabulary {
	return newVocabulary(wordBlock(words), len(words))
}

// newVocabulary reads a block that contains exactly n words.
func newVocabulary(block []byte, n int) *Vocabulary {
	size := 1 << bits.Len(uint(2*n))
	v := &Vocabulary{block: block, at: make([]uint32, n), slots: make([]uint32, size), mask: uint32(size - 1)}
	pos := uint32(0)
	for i := range v.at {
		v.at[i] = pos
		pos += 1 + uint32(block[pos])
		v.insert(uint32(i))
	}
	return v
}

func wordBlock(words []string) []byte {
	var block []byte
	for _, w := range words {
		block = append(block, byte(len(w)))
		block = append(block, w...)
	}
	return block
}

func (v *Vocabulary) insert(i uint32) {
	slot := hash(v.Word(int(i))) & v.mask
	for v.slots[slot] != 0 {
		slot = (slot + 1) & v.mask
	}
	v.slots[slot] = i + 1
}

// Len returns the number of words.
func (v *Vocabulary) Len() int {
	if v == nil {
		return 0
	}
	return len(v.at)
}

// Word returns word i; the bytes must not be changed.
func (v *Vocabulary) Word(i int) []byte {
	at := v.at[i]
	return v.block[at+1 : at+1+uint32(v.block[at])]
}

// Find returns the number of a word, or -1 if it is unknown.
func (v *Vocabulary) Find(word []byte) int {
	if v == nil {
		return -1
	}
	for slot := hash(word) & v.mask; v.slots[slot] != 0; slot = (slot + 1) & v.mask {
		if i := int(v.slots[slot] - 1); string(v.Word(i)) == string(word) {
			return i
		}
	}
	return -1
}

// FNV-1a, 32 bits.
const (
	fnvOffset = 2166136261
	fnvPrime  = 16777619
)

func hash(b []byte) uint32 {
	h := uint32(fnvOffset)
	for _, c := range b {
		h = (h ^ uint32(c)) * fnvPrime
	}
	return h
}
