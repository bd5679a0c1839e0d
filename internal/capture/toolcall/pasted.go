package toolcall

import (
	"slices"
	"strings"

	"recollect/internal/text/prose"
)

// ErrorIn returns the line of a pasted text that names its error, "" if none
// clearly does.
func ErrorIn(text string) string {
	line, _ := worstLine(text)
	if rank, _ := clarityOf(line); rank < clearly {
		return ""
	}
	return tidyLine(line)
}

// clearly is how clearly a line names its error that can be nothing else.
const clearly = 4

// Of the words of an error that say something, a text about it has at least so many, and this share.
const (
	leastOfError = 3
	shareOfError = 0.6
)

// SameError reports whether a text is about an error, given as ErrorIn returns it.
func SameError(text, shown string) bool {
	words := prose.SubjectWords(strings.ToLower(shown))
	slices.Sort(words)
	words = slices.Compact(words)
	known := prose.SubjectWords(strings.ToLower(text))
	n := 0
	for _, w := range words {
		if slices.Contains(known, w) {
			n++
		}
	}
	return n >= leastOfError && float64(n) >= shareOfError*float64(len(words))
}
