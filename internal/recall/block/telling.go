package block

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/memory"
)

// What a title has that says something alone.
const (
	leastWords = 3 // words of at least leastRunes letters or digits
	leastRunes = 3
	firstIdeas = '\u2E80' // from here on scripts write without spaces
)

// TellsAlone reports whether a memory's heading alone says something that its
// reader could act on: what was decided, wished or found out. The title of a
// failure does so if its fix is known, that of an episode if it is neither a
// mere question nor only a word or two.
func TellsAlone(m *memory.Memory) bool {
	switch m.Source {
	case memory.Failures:
		return m.Fields["fix"] != "" && worded(m.Title)
	case memory.Episodes, memory.Handoffs:
		return worded(m.Title) && !strings.HasSuffix(strings.TrimSpace(m.Title), "?")
	}
	return strings.TrimSpace(m.Title) != ""
}

// worded reports whether a title has enough words to say something.
func worded(title string) bool {
	n := 0
	for _, word := range strings.FieldsFunc(title, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if r, _ := utf8.DecodeRuneInString(word); r >= firstIdeas {
			return true
		}
		if utf8.RuneCountInString(word) >= leastRunes {
			n++
		}
	}
	return n >= leastWords
}
