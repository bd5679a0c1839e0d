package form

import "strings"

// A Span is a secret within a text.
type Span struct {
	Start, End int
	Kind       string
	Rank       int // of spans that overlap the lowest names the kind
}

// LineAt returns the line that begins at i, or more than MaxRow bytes of it.
func LineAt(text string, i int) string {
	if i >= len(text) {
		return ""
	}
	line := text[i:min(len(text), i+MaxRow+1)]
	if n := strings.IndexByte(line, '\n'); n >= 0 {
		line = line[:n]
	}
	return line
}

// MinRun is the shortest secret, in bytes, that is known by its own look.
const MinRun = 16

// MaxRow bounds a line that is read, in bytes.
const MaxRow = 4096
