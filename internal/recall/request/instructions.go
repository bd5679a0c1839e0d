package request

import (
	"strings"

	"recollect/internal/index"
	"recollect/internal/memory"
)

// knownShare is the share, in [0, 1], of a memory's words that one paragraph of the
// instructions must have to cover the memory.
const knownShare = 0.8

// Instructions are what Claude reads at the start of every session anyway, as the words of
// each paragraph. The zero value has none.
type Instructions struct{ paragraphs []map[string]bool }

// NewInstructions reads texts such as that of a CLAUDE.md.
func NewInstructions(texts ...string) Instructions {
	var in Instructions
	for _, text := range texts {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		for _, paragraph := range strings.Split(text, "\n\n") {
			if words := wordsIn(paragraph); len(words) > 0 {
				in.paragraphs = append(in.paragraphs, words)
			}
		}
	}
	return in
}

// Cover reports whether a paragraph has nearly all words of m.
func (in *Instructions) Cover(m *memory.Memory) bool {
	if len(in.paragraphs) == 0 {
		return false
	}
	words := wordsIn(m.Title + "\n" + m.Body())
	for _, paragraph := range in.paragraphs {
		known := 0
		for w := range words {
			if paragraph[w] {
				known++
			}
		}
		if known > 0 && float64(known) >= knownShare*float64(len(words)) {
			return true
		}
	}
	return false
}

func wordsIn(text string) map[string]bool {
	words := map[string]bool{}
	for _, t := range index.Analyze(text) {
		words[t.Text] = true
	}
	return words
}
