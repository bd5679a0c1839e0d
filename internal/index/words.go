package index

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/blevesearch/bleve/v2/analysis"
	"github.com/blevesearch/bleve/v2/analysis/char/asciifolding"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// wordRune reports whether r is a word character of a script that puts spaces between words.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return wordBytes[r]
	}
	named := unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r)
	return named && !unspaced(r)
}

// wordBytes are the letters and digits of ASCII.
var wordBytes = func() (of [utf8.RuneSelf]bool) {
	for _, c := range "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789" {
		of[c] = true
	}
	return of
}()

// unspaced reports whether r belongs to a script that is written without spaces. Such text is indexed as
// pairs of characters.
func unspaced(r rune) bool {
	const prolonged = 'ー' // part of Katakana, although Unicode assigns it to no script
	return r >= 0x0E00 && (r == prolonged || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana,
		unicode.Hangul, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}

// joint reports whether r can join two parts of an identifier.
func joint(r rune) bool { return strings.ContainsRune("_-./:", r) }

// wordLen returns the length of the written word at the start of s: runs of word characters and the
// joints between them.
func wordLen(s string) int {
	end := runLen(s)
	for {
		j := jointLen(s[end:])
		n := runLen(s[end+j:])
		if j == 0 || n == 0 {
			return end
		}
		end += j + n
	}
}

func runLen(s string) int {
	for i, r := range s {
		if !wordRune(r) {
			return i
		}
	}
	return len(s)
}

// jointLen returns the length of the joint at the start of s: one of -./, two colons, or any number of
// underscores. Two dashes or dots are punctuation, and a single colon ends a label or a file name.
func jointLen(s string) int {
	n := len(s) - len(strings.TrimLeft(s, "_"))
	switch {
	case n > 0:
		return n
	case strings.HasPrefix(s, "::"):
		return 2
	case s != "" && strings.IndexByte("-./", s[0]) >= 0:
		return 1
	}
	return 0
}

// languageLen returns the length of C++, C# or F# if text begins with one of them and its first word has
// n bytes, else 0. Only in these words are the signs part of the term.
func languageLen(text string, n int) int {
	if n != 1 {
		return 0
	}
	for _, name := range []string{"c++", "c#", "f#"} {
		named := len(text) >= len(name) && strings.EqualFold(text[:len(name)], name)
		if named && runLen(text[len(name):]) == 0 {
			return len(name)
		}
	}
	return 0
}

// contractionLen returns the length of the possessive or contracted ending ('s,
// 't, 're …) at the start of s, or 0.
func contractionLen(s string) int {
	for _, mark := range []string{"'", "’"} {
		rest, ok := strings.CutPrefix(s, mark)
		if !ok {
			continue
		}
		n := runLen(rest)
		switch strings.ToLower(rest[:n]) {
		case "s", "t", "d", "m", "re", "ve", "ll":
			return len(mark) + n
		}
	}
	return 0
}

// contraction returns a contracted word in the spelling of the stop words.
func contraction(word string) string {
	return strings.ReplaceAll(strings.ToLower(word), "’", "'")
}

// stopWords holds bleve's English stop words, and abbreviations that mean as little but look like
// compound names.
var stopWords = sync.OnceValue(func() analysis.TokenMap {
	words := analysis.NewTokenMap()
	if err := words.LoadBytes(en.EnglishStopWords); err != nil {
		panic("index: load stop words: " + err.Error()) // impossible: it reads from memory
	}
	for _, w := range []string{"e.g", "i.e", "etc"} {
		words.AddToken(w)
	}
	return words
})

func stopWord(w string) bool { return stopWords()[w] }

// fold removes the accents of a lower-case word, because not everybody types
// them.
func fold(word string) string {
	if ascii(word) {
		return word
	}
	bare := strings.Map(func(r rune) rune {
		if combining := r >= 0x0300 && r <= 0x036F; combining {
			return -1
		}
		return r
	}, word)
	return strings.ToLower(string(asciifolding.New().Filter([]byte(bare))))
}

// stem returns the English stem of a lower-case word. Words with digits or signs
// are names, whose last letter is not an inflection (k8s).
func stem(word string) string {
	if strings.IndexFunc(word, func(r rune) bool { return r < 'a' || r > 'z' }) >= 0 {
		return word
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	return env.Current()
}

func ascii(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
