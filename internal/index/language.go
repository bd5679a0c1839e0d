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

// leastStopWords is the number of stop words that show the language of a text. A single one may be a name
// or a word of another language ("die").
const leastStopWords = 2

// languageBytes is the length of the beginning of a text that is enough to recognize its language.
const languageBytes = 2 << 10

// A Language is one of the languages in foreignStopWords, as a bit. The zero value means English or
// unknown, and has no stop words besides those that Analyze leaves out.
type Language uint16

// foreignStopWords maps a stop word to its languages. The index has these words like any others, because
// only the text around "die" shows whether it is a stop word.
var foreignStopWords = sync.OnceValue(func() map[string]Language {
	lists := [][]byte{
		de.GermanStopWords, es.SpanishStopWords, fr.FrenchStopWords, it.ItalianStopWords, nl.DutchStopWords,
		pt.PortugueseStopWords, ru.RussianStopWords, sv.SwedishStopWords,
	}
	all := map[string]Language{}
	for i, list := range lists {
		words := analysis.NewTokenMap()
		if err := words.LoadBytes(list); err != nil {
			panic("index: load stop words: " + err.Error()) // impossible: it reads from memory
		}
		for w := range words {
			all[fold(w)] |= 1 << i
		}
	}
	return all
})

// LanguageOf returns the language with the most stop words in text, and the first of several. It returns
// the zero value if English has as many.
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

// Stops reports whether a token is a stop word of the language, or consists only of stop words
// ("est-ce").
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
