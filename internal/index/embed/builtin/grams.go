package builtin

import (
	"math"
	"unicode/utf8"
)

const (
	minGram = 3
	maxGram = 5
	// maxGrams is the largest number of n-grams of a word: three from each of its characters and from the
	// mark before them.
	maxGrams = (maxGram - minGram + 1) * (maxWord + 1)
)

// Grams appends to dst the buckets of a word's n-grams: FNV-1a hashes, modulo
// the number of buckets, of its runs of 3 to 5 characters, with < before and >
// after the word. A word has at least one.
func Grams(dst []uint32, word []byte, buckets int) []uint32 {
	var marked [maxWord + 2]byte
	text := append(append(append(marked[:0], '<'), word...), '>')
	for from := 0; from < len(text); from += width(text[from]) {
		h, n := uint32(fnvOffset), 0
		for to := from; to < len(text) && n < maxGram; n++ {
			for end := to + width(text[to]); to < end && to < len(text); to++ {
				h = (h ^ uint32(text[to])) * fnvPrime
			}
			if n+1 >= minGram {
				dst = append(dst, h%uint32(buckets))
			}
		}
	}
	return dst
}

// width returns the number of bytes of the character that begins with a byte.
func width(b byte) int {
	switch {
	case b < utf8.RuneSelf:
		return 1
	case b >= 0xf0:
		return 4
	case b >= 0xe0:
		return 3
	}
	return 2
}

// GramScale returns the factor for the sum of n n-gram rows. With it, if the
// rows are independent, long words have the same weight as short ones.
func GramScale(n int) float32 { return float32(1 / math.Sqrt(float64(n))) }
