package markdown

import (
	"slices"
	"strings"
)

// looseFront reads a file whose front matter is not YAML. Front matter that is not closed ends before the
// first line without a key.
func looseFront(lines []string) Front {
	l := loose{Front: Front{Keys: map[string][]string{}}}
	at := skipBlank(lines, 0) + 1
	end := findLine(lines, at, isFence)
	closed := end < len(lines)
	for ; at < end; at++ {
		if l.add(lines[at]) {
			continue
		}
		if !closed {
			break
		}
		l.rest = append(l.rest, lines[at])
	}
	if closed {
		at = end + 1
	}
	l.Text = text(slices.Concat(l.rest, lines[at:]), false)
	return l.Front
}

// A loose reads lines of front matter that is not YAML.
type loose struct {
	Front
	table, key string   // the last key at the margin, and the last key of all
	rest       []string // lines without a key
}

// add adds a line with a key, or with a word of a list, and reports whether it is one. The first value of
// a key counts.
func (l *loose) add(line string) bool {
	words := strings.TrimSpace(line)
	if word, ok := strings.CutPrefix(words, "- "); ok && l.key != "" {
		l.Keys[l.key] = append(l.Keys[l.key], unquoted(word))
		return true
	}
	key, value, ok := strings.Cut(words, ":")
	if !ok || !isKey(key) {
		return words == ""
	}
	if strings.TrimLeft(line, " \t") == line {
		l.table = key
	} else if l.table != "" {
		key = l.table + "." + key
	}
	l.key = key
	if value = strings.TrimSpace(value); value != "" && len(l.Keys[key]) == 0 {
		l.Keys[key] = []string{unquoted(value)}
	}
	return true
}

// isKey reports whether a word looks like a key that programs write. No prose begins like that.
func isKey(word string) bool {
	if word == "" || word[0] < 'a' || word[0] > 'z' {
		return false
	}
	return !strings.ContainsFunc(word, func(r rune) bool {
		isLetter := r|0x20 >= 'a' && r|0x20 <= 'z'
		return !isLetter && !strings.ContainsRune("0123456789_-.", r)
	})
}

// unquoted returns a value without the quotes around it.
func unquoted(value string) string {
	value = strings.TrimSpace(value)
	if n := len(value); n >= 2 && value[0] == value[n-1] && strings.ContainsRune("\"'`", rune(value[0])) {
		return value[1 : n-1]
	}
	return value
}
