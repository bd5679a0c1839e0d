package terms

import (
	"math"
	"strings"

	"recollect/internal/index/embed/builtin"
)

// A store of 20 memories does not tell which words are rare: "name" may be in one of them, as
// "Retry-After" is. So a word's rarity is that among the memories and usualTexts texts of developers.
// How many of those have a word follows from its place in the built-in embedder's vocabulary, which
// begins with the most frequent one, by Zipf's law.
const (
	usualTexts = 1000
	usualWords = 60  // of a text
	zipfShift  = 2.7 // Mandelbrot, An informational theory of the statistical structure of language, 1953
)

// rarityOf returns the inverse document frequency of a word that found of docs memories have, and
// this share of developers' texts.
func rarityOf(found, docs int, usual float64) float64 {
	n := float64(min(found, docs)) + usualTexts*usual
	return math.Log(1 + (float64(docs)+usualTexts-n+0.5)/(n+0.5))
}

// usualShare returns the share of developers' texts that have a word.
func usualShare(word string) float64 {
	m, err := builtin.Load()
	if err != nil {
		return 0
	}
	rank := m.Rank(strings.ToLower(word))
	if rank < 0 {
		return 0
	}
	frequency := 1 / ((float64(rank) + zipfShift) * math.Log(float64(m.Words())))
	return 1 - math.Exp(-usualWords*frequency)
}
