// Package markdown writes memories as Markdown with front matter and reads
// them back, which is the form in which they are handed from one store to
// another and edited by hand. It also reads front matter that other programs
// wrote.
//
// Front matter is a block of YAML between two lines "---" before the text.
package markdown

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"recollect/internal/memory"
)

// A memory in Markdown is a block of front matter between two lines "---",
// then its text. Several follow one another in one stream. So that a text
// cannot end early, each of its lines that is "---" behind any number of
// backslashes is written with one backslash more. Front matter of ours begins
// with the id; only behind such a block is another one looked for, because in
// other people's files "---" is a line across the page.
const fence = "---"

// Write writes m so that Read finds it again without loss.
func Write(w io.Writer, m memory.Memory) error {
	if m.ID == "" || m.Deleted {
		return errors.New("write markdown: memory has no id or is deleted")
	}
	var b strings.Builder
	b.WriteString(fence + "\n")
	writeFront(&b, m)
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

func writeFront(b *strings.Builder, m memory.Memory) {
	word := func(key, value string) {
		if value != "" {
			b.WriteString(key + ": " + quote(value) + "\n")
		}
	}
	words := func(key string, values []string) {
		for i, v := range values {
			values[i] = quote(v)
		}
		if len(values) > 0 {
			b.WriteString(key + ": [" + strings.Join(values, ", ") + "]\n")
		}
	}
	word("id", m.ID)
	word("subject", m.Title)
	word("source", string(m.Source))
	words("keywords", slices.Clone(m.Keywords))
	word("applies_to", m.AppliesTo)
	word("occurred_at", stamp(m.OccurredAt))
	word("last_seen", stamp(m.LastSeen))
	word("content_hash", m.ContentHash)
	word("project", m.Project)
	word("project_path", m.ProjectPath)
	word("project_remote", m.ProjectRemote)
	word("importance", m.Importance)
	if m.Confidence != 0 {
		word("confidence", strconv.FormatFloat(m.Confidence, 'g', -1, 64))
	}
	word("session", m.Session)
	word("turn", m.Turn)
	words("confirmed_by", slices.Clone(m.ConfirmedBy))
	word("agent", m.Agent)
	word("origin", m.Origin)
	word("evidence", m.Evidence)
	words("files", slices.Clone(m.Files))
	words("tags", slices.Clone(m.Tags))
	words("supersedes", slices.Clone(m.Supersedes))
	word("recorded_at", stamp(m.RecordedAt))
	writeFields(b, m.Fields)
}

func writeFields(b *strings.Builder, fields map[string]string) {
	if len(fields) == 0 {
		return
	}
	b.WriteString("fields:\n")
	for _, key := range slices.Sorted(maps.Keys(fields)) {
		b.WriteString("  " + quote(key) + ": " + quote(fields[key]) + "\n")
	}
}

func stamp(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// quote writes s as a YAML scalar: plain where no reader could take it for
// anything else, else in double quotes with all that does not print escaped.
func quote(s string) string {
	if isPlain(s) {
		return s
	}
	b := []byte{'"'}
	for _, r := range s {
		switch {
		case r == '"' || r == '\\':
			b = append(b, '\\', byte(r))
		case r == '\n':
			b = append(b, `\n`...)
		case r == '\t':
			b = append(b, `\t`...)
		case r == ' ' || unicode.IsPrint(r):
			b = append(b, string(r)...)
		case r > 0xFFFF:
			b = fmt.Appendf(b, `\U%08X`, r)
		default:
			b = fmt.Appendf(b, `\u%04X`, r)
		}
	}
	return string(append(b, '"'))
}

// isPlain reports a scalar that begins with a letter or digit, holds nothing
// that YAML gives a meaning to, and is no word of its own like "true".
func isPlain(s string) bool {
	if s == "" || !isWordByte(s[0]) {
		return false
	}
	for i := range len(s) {
		if c := s[i]; !isWordByte(c) && !strings.ContainsRune(" _-./+@", rune(c)) && (c != ':' || i+1 == len(s) || !isWordByte(s[i+1])) {
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
	return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9'
}
