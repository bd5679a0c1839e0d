// Package markdown writes memories as Markdown with front matter, and reads them back. In this form they
// are moved between stores and edited by hand. It also reads front matter that other programs wrote.
//
// Front matter is a block of YAML between two lines "---" before the text.
package markdown

import (
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"recollect/internal/memory"
)

// A memory in Markdown is a block of front matter between two lines "---", then its text. A stream may
// contain several. So that a text cannot end early, Write adds a backslash to each of its lines that is
// "---" after any number of backslashes. Our front matter begins with the id. Read looks for a further
// memory only after such a block, because in other files "---" is a line across the page.
const fence = "---"

// Write writes m so that Read restores it without loss.
func Write(w io.Writer, m memory.Memory) error {
	if m.ID == "" || m.Deleted {
		return errors.New("write markdown: memory has no id or is deleted")
	}
	var b strings.Builder
	b.WriteString(fence + "\n")
	frontOf(m).write(&b)
	b.WriteString(fence + "\n")
	if m.Text != "" {
		for line := range strings.SplitSeq(m.Text, "\n") {
			if isFence(strings.TrimLeft(line, `\`)) {
				b.WriteByte('\\')
			}
			b.WriteString(line + "\n")
		}
	}
	b.WriteByte('\n')
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("write markdown: %w", err)
	}
	return nil
}

func isFence(line string) bool { return strings.TrimRight(line, " \t\r") == fence }

// Quote writes s as a YAML scalar: plain if no reader could misread it, else in double quotes with Go's
// escapes, all of which YAML has.
func Quote(s string) string {
	if isPlain(s) {
		return s
	}
	return strconv.Quote(s)
}

// isPlain reports whether a scalar begins with a letter or digit, contains nothing that has a meaning in
// YAML, and is not a word like "true".
func isPlain(s string) bool {
	if s == "" || !isWordByte(s[0]) {
		return false
	}
	for i := range len(s) {
		isWithinWord := s[i] == ':' && i+1 < len(s) && isWordByte(s[i+1])
		if !isWithinWord && !isWordByte(s[i]) && !strings.ContainsRune(" _-./+@", rune(s[i])) {
			return false
		}
	}
	switch strings.ToLower(s) {
	case "true", "false", "null", "yes", "no", "on", "off", "y", "n":
		return false
	}
	return !strings.HasSuffix(s, " ") && s != fence
}

func isWordByte(c byte) bool {
	if c >= '0' && c <= '9' {
		return true
	}
	return c|0x20 >= 'a' && c|0x20 <= 'z'
}
