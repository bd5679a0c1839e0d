package classifier

import (
	_ "embed"
	"strings"
	"sync"

	"recollect/internal/memory/secret/keywords"
)

// How far from a hint a secret may stand.
const (
	hintLines = 4    // lines up and down
	hintBytes = 1000 // up and down
)

// hintsText has the words near which a secret may stand. Those of one line mean much the same, in
// many languages.
//
//go:embed hints.txt
var hintsText string

// A vocabulary finds hints and knows what each means.
type vocabulary struct {
	words   *keywords.Finder
	meaning []Feature // by word
}

var hints = sync.OnceValue(func() vocabulary {
	var v vocabulary
	var all []string
	for line := range strings.Lines(hintsText) {
		name, list, _ := strings.Cut(line, ":")
		for _, word := range strings.Fields(list) {
			all, v.meaning = append(all, word), append(v.meaning, isHint.of(named(name)))
		}
	}
	v.words = keywords.New(all)
	return v
})

// shortHint is the length in bytes up to which a hint must end a word.
const shortHint = 3

// each calls yield for every hint in text, with its meaning.
func (v vocabulary) each(text string, yield func(meaning Feature, start, end int)) {
	v.words.Scan(text, func(word uint16, start, end int) {
		whole := end-start > shortHint || end == len(text) || !isLetter(text[end])
		if whole && !rises(text[start:end]) {
			yield(v.meaning[word], start, end)
		}
	})
}

// rises reports whether a capital follows a small letter, as in no word but often in what is encoded.
func rises(s string) bool {
	for i := 1; i < len(s); i++ {
		if isCapital(s[i]) && isSmall(s[i-1]) {
			return true
		}
	}
	return false
}

// findRegions returns the parts of text that are near a hint, in order.
func findRegions(text string) []Span {
	var out []Span
	hints().each(text, func(_ Feature, start, end int) {
		if n := len(out); n > 0 && out[n-1].End >= len(text) {
			return
		}
		from, n := start, len(out)
		if n == 0 || start > out[n-1].End {
			from = linesAbove(text, start)
		}
		to := linesBelow(text, end)
		if n > 0 && from <= out[n-1].End {
			out[n-1].End = max(to, out[n-1].End)
			return
		}
		out = append(out, Span{from, to})
	})
	return out
}

// Hinted reports whether anything in text is classified.
func Hinted(text string) bool { return len(findRegions(text)) > 0 }

// linesAbove returns where the lines above a hint begin, at the beginning of a word.
func linesAbove(text string, i int) int {
	least := max(0, i-hintBytes)
	for range hintLines + 1 {
		n := strings.LastIndexByte(text[least:i], '\n')
		if n < 0 {
			if least == 0 {
				return 0
			}
			if n = strings.IndexAny(text[least:i], " \t"); n < 0 {
				return i
			}
			return least + n
		}
		i = least + n
	}
	return i
}

// linesBelow returns where the lines below a hint end, at the end of a word.
func linesBelow(text string, i int) int {
	most := min(len(text), i+hintBytes)
	for range hintLines + 1 {
		n := strings.IndexByte(text[i:most], '\n')
		if n < 0 {
			if most == len(text) {
				return most
			}
			if n = strings.LastIndexAny(text[i:most], " \t"); n < 0 {
				return i
			}
			return i + n
		}
		i += n + 1
	}
	return i
}
