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
type Instructions struct {
	text       string
	paragraphs []map[string]bool
}

// NewInstructions reads texts such as that of a CLAUDE.md.
func NewInstructions(texts ...string) Instructions {
	var in Instructions
	for _, text := range texts {
		text = strings.ReplaceAll(text, "\r\n", "\n")
		in.text += text + "\n"
		for _, paragraph := range strings.Split(text, "\n\n") {
			if words := WordsIn(paragraph); len(words) > 0 {
				in.paragraphs = append(in.paragraphs, words)
			}
		}
	}
	return in
}

// Cover reports whether a paragraph has nearly all words of m, or the instructions name all commands of a fact.
func (in *Instructions) Cover(m *memory.Memory) bool {
	switch {
	case len(in.paragraphs) == 0:
		return false
	case m.Source == memory.Registry && in.nameCommands(m.Title):
		return true
	}
	words := WordsIn(m.Title + "\n" + m.Body())
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

// nameCommands reports whether the instructions name each command that a text has between backquotes, and there is one.
func (in *Instructions) nameCommands(text string) bool {
	parts := strings.Split(text, "`")
	for i := 1; i < len(parts); i += 2 {
		if !strings.Contains(in.text, parts[i]) {
			return false
		}
	}
	return len(parts) > 2
}

// WordsIn returns the analysed words of a text.
func WordsIn(text string) map[string]bool {
	words := map[string]bool{}
	for _, t := range index.Analyze(text) {
		words[t.Text] = true
	}
	return words
}
