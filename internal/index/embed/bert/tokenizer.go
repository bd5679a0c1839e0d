package bert

import (
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// maxWord is the largest number of characters of a word that is divided into pieces, as in BERT. Longer
// words are unknown.
const maxWord = 100

// inside is the prefix of a piece that continues a word.
const inside = "##"

// A tokenizer divides a text as BERT does: at spaces and punctuation, then each word into the longest
// pieces in the vocabulary (WordPiece, Devlin et al. 2018). It treats the names of special tokens as
// ordinary text.
type tokenizer struct {
	path                    string // path of the file with the vocabulary
	ids                     map[string]int
	lowerCase, stripAccents bool

	unknown, first, last int // [UNK], [CLS], [SEP]
}

// tokenize returns the ids of the first limit tokens of a text, including the two special tokens around
// it. An empty text gives only those two.
func (t *tokenizer) tokenize(text string, limit int) []int {
	ids := []int{t.first}
	for _, word := range t.words(text) {
		if len(ids) >= limit-1 {
			break
		}
		ids = t.pieces(ids, word)
	}
	ids = ids[:min(len(ids), limit-1)]
	return append(ids, t.last)
}

// words divides a text at spaces and punctuation. Each punctuation mark and
// each ideograph is a word of its own.
func (t *tokenizer) words(text string) []string {
	if t.lowerCase {
		text = strings.ToLower(text)
	}
	if t.stripAccents {
		text = norm.NFD.String(text)
	}
	var spaced strings.Builder
	for _, r := range text {
		switch {
		case r == 0 || r == unicode.ReplacementChar:
		case t.stripAccents && unicode.Is(unicode.Mn, r):
		case unicode.IsSpace(r):
			spaced.WriteByte(' ')
		case unicode.In(r, unicode.Cc, unicode.Cf):
		case punctuation(r) || ideograph(r):
			spaced.WriteByte(' ')
			spaced.WriteRune(r)
			spaced.WriteByte(' ')
		default:
			spaced.WriteRune(r)
		}
	}
	return strings.Fields(spaced.String())
}

// pieces appends the ids of the pieces of a word.
func (t *tokenizer) pieces(ids []int, word string) []int {
	runes := []rune(word)
	if len(runes) > maxWord {
		return append(ids, t.unknown)
	}
	known := len(ids)
	for start := 0; start < len(runes); {
		id, end := t.longest(runes, start)
		if end == start {
			return append(ids[:known], t.unknown)
		}
		ids = append(ids, id)
		start = end
	}
	return ids
}

// longest finds the longest piece that begins at start. If there is none, end
// equals start.
func (t *tokenizer) longest(word []rune, start int) (id, end int) {
	prefix := ""
	if start > 0 {
		prefix = inside
	}
	for end := len(word); end > start; end-- {
		if id, ok := t.ids[prefix+string(word[start:end])]; ok {
			return id, end
		}
	}
	return 0, start
}

// punctuation reports whether BERT divides at r: at all of ASCII except letters and digits, and at
// Unicode punctuation.
func punctuation(r rune) bool {
	if r < 128 {
		return unicode.IsPunct(r) || unicode.IsSymbol(r)
	}
	return unicode.IsPunct(r)
}

func ideograph(r rune) bool {
	for _, block := range ideographs {
		if block[0] <= r && r <= block[1] {
			return true
		}
	}
	return false
}

// ideographs are the first and the last character of each Unicode block of ideographs.
var ideographs = [][2]rune{{0x4e00, 0x9fff}, {0x3400, 0x4dbf}, {0xf900, 0xfaff}, {0x20000, 0x2fa1f}}
