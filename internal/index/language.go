package index

import (
	"math/bits"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/lang/de"
	"github.com/blevesearch/bleve/v2/analysis/lang/es"
	"github.com/blevesearch/bleve/v2/analysis/lang/fr"
	"github.com/blevesearch/bleve/v2/analysis/lang/it"
	"github.com/blevesearch/bleve/v2/analysis/lang/nl"
	"github.com/blevesearch/bleve/v2/analysis/lang/pt"
	"github.com/blevesearch/bleve/v2/analysis/lang/ru"
	"github.com/blevesearch/bleve/v2/analysis/lang/sv"
)

// leastStopWords is how many stop words of a language show that a text is in it: a single one is
// also a word of another ("die"), or a name.
const leastStopWords = 2

// languageBytes of a text are enough to tell its language.
const languageBytes = 2 << 10

// A Language is one of those in foreignStopWords, as a bit. The zero value, which stands for English too,
// has no stop words besides those that Analyze leaves out.
type Language uint16

// foreignStopWords returns the languages of which a word is a stop word. The index has these words like any
// other: whether "die" is one depends on the text that it stands in.
var foreignStopWords = sync.OnceValue(func() map[string]Language {
	lists := [][]byte{
		de.GermanStopWords, es.SpanishStopWords, fr.FrenchStopWords, it.ItalianStopWords, nl.DutchStopWords,
		pt.PortugueseStopWords, ru.RussianStopWords, sv.SwedishStopWords,
	}
	all := map[string]Language{}
	for i, list := range lists {
		words := analysis.NewTokenMap()
		if err := words.LoadBytes(list); err != nil {
			panic("index: load stop words: " + err.Error()) // it reads from memory
		}
		for w := range words {
			all[fold(w)] |= 1 << i
		}
	}
	return all
})

// LanguageOf returns the language of which text has the most stop words, the first of several, or the
// zero value if English has as many.
func LanguageOf(text string) Language {
	text = text[:min(len(text), languageBytes)]
	foreign := foreignStopWords()
	var counts [16]int
	english := 0
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !wordRune(r) }) {
		word = fold(word)
		if stopWord(word) {
			english++
		}
		for of := foreign[word]; of != 0; of &= of - 1 {
			counts[bits.TrailingZeros16(uint16(of))]++
		}
	}
	best := 0
	for i, n := range counts {
		if n > counts[best] {
			best = i
		}
	}
	if counts[best] < leastStopWords || counts[best] <= english {
		return 0
	}
	return 1 << best
}

// Stops reports whether a token is a stop word of the language, or made of nothing else ("est-ce").
func (l Language) Stops(t Token) bool {
	if l == 0 {
		return false
	}
	for _, word := range strings.FieldsFunc(strings.ToLower(t.Surface), joint) {
		if foreignStopWords()[fold(word)]&l == 0 {
			return false
		}
	}
	return true
}
