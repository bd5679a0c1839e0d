// Package clean makes text fit to be stored. It removes control characters, text that the user marked as
// private, text that recollect injected, and secrets. The store accepts only a Memory of this package,
// and only Draft and Received make one.
package clean

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/memory"
	"recollect/internal/memory/secret"
)

// maxRounds limits how often tags are searched again, because removing one may form another.
const maxRounds = 8

// Text returns s as it may be stored: valid UTF-8 without control characters and private text, with a
// marker in place of each secret. It also removes text that recollect injected, so that no memory is
// learned from a memory. s must be a whole text, because part of a secret is not recognized.
func Text(s string) string { return secret.Redact(open(s)) }

// Answer is Text for a text that somebody said after another one, which may have asked for a password.
func Answer(before, said string) string { return secret.Answer(toPlain(before), open(said)) }

// Alone returns a prompt as it may be kept if nobody knows what it answers: a single word that looks like
// a password becomes an ellipsis.
func Alone(prompt string) string {
	if secret.Alone(prompt) {
		return "…"
	}
	return prompt
}

// open does what Text does, but leaves secrets in.
func open(s string) string {
	s = toPlain(s)
	for range maxRounds {
		before := len(s)
		s = dropTag(s, "private", false)
		s = dropTag(s, memory.FrameTag, true)
		if len(s) == before {
			break
		}
	}
	return s
}

// toPlain removes terminal escapes, control characters and invisible ones that change how text reads. It
// must come first, because a NUL within a tag would hide the tag.
func toPlain(s string) string {
	clean := func(r rune) bool { return r == '\n' || r == '\t' || !isHidden(r) }
	if utf8.ValidString(s) && strings.IndexFunc(s, func(r rune) bool { return !clean(r) }) < 0 {
		return s
	}
	s = strings.ToValidUTF8(s, "\uFFFD")
	s = stripEscapes(s)
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\r': // a progress bar redraws its line
			return '\n'
		case clean(r):
			return r
		}
		return -1
	}, s)
}

// isHidden reports whether r is a control character, a mark that changes the direction of text, or an
// invisible tag character.
func isHidden(r rune) bool {
	switch {
	case unicode.IsControl(r), r == '\uFEFF', r >= '\u202A' && r <= '\u202E', r >= '\u2066' && r <= '\u2069', r >= 0xE0000 && r <= 0xE007F:
		return true
	}
	return false
}

// stripEscapes removes the terminal's escape sequences: colours and cursor movements (CSI), titles and
// links (OSC and the like), and two-byte ones.
func stripEscapes(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, 0x1b)
		if i < 0 {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		s = s[i+1:]
		s = s[escapeLen(s):]
	}
}

// escapeLen returns the number of bytes after an ESC that belong to its sequence.
func escapeLen(s string) int {
	if s == "" {
		return 0
	}
	switch s[0] {
	case '[':
		i := 1
		for i < len(s) && s[i] >= 0x20 && s[i] < 0x40 {
			i++
		}
		if i < len(s) && s[i] >= 0x40 && s[i] < 0x7f {
			i++
		}
		return i
	case ']', 'P', '^', '_':
		line, _, _ := strings.Cut(s, "\n")
		if i := strings.IndexAny(line, "\a\x1b"); i >= 0 && line[i] == '\a' {
			return i + 1
		} else if i >= 0 {
			return i
		}
		return 1
	}
	if s[0] >= 0x20 && s[0] < 0x7f {
		return 1
	}
	return 0
}

// dropTag removes <name>…</name>, in any case of letters, with or without attributes. It also removes a
// single closing tag, and the rest of the text after a tag that is not closed. If lenient is set, it
// leaves a tag without attributes that is not closed, because the text may be about the tag.
func dropTag(s, name string, lenient bool) string {
	var b strings.Builder
	for closable := true; ; {
		t, ok := nextTag(s, name)
		if !ok && b.Len() == 0 {
			return s
		}
		if !ok {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:t.start])
		rest := s[t.end:]
		if t.closing {
			s = rest
			continue
		}
		var after string
		if closable {
			after, closable = skipElement(rest, name, !lenient)
		}
		switch {
		case closable:
			s = after
		case lenient && !t.attributes:
			b.WriteString(s[t.start:t.end])
			s = rest
		default:
			return b.String()
		}
	}
}

// skipElement returns the rest of s after the closing tag of the element whose opening tag precedes s.
func skipElement(s, name string, nested bool) (string, bool) {
	for depth := 1; ; {
		t, ok := nextTag(s, name)
		if !ok {
			return "", false
		}
		s = s[t.end:]
		if t.closing {
			depth--
		} else if nested {
			depth++
		}
		if depth == 0 {
			return s, true
		}
	}
}

type tag struct {
	start, end int
	closing    bool
	attributes bool
}

// nextTag finds the next <name …> or </name> in s.
func nextTag(s, name string) (tag, bool) {
	for from := 0; ; {
		i := strings.IndexByte(s[from:], '<')
		if i < 0 {
			return tag{}, false
		}
		t := tag{start: from + i}
		rest := s[t.start+1:]
		t.closing = strings.HasPrefix(rest, "/")
		rest = strings.TrimPrefix(rest, "/")
		if end := tagEnd(rest, name); end > 0 {
			t.end = len(s) - len(rest) + end
			t.attributes = strings.TrimSpace(rest[len(name):end-1]) != ""
			return t, true
		}
		from = t.start + 1
	}
}

// tagEnd returns the length of "name …>" at the beginning of s, or 0. No tag of interest is longer than
// maxTag.
func tagEnd(s, name string) int {
	const maxTag = 300
	if len(s) <= len(name) || !strings.EqualFold(s[:len(name)], name) || !strings.ContainsRune("> \t\n", rune(s[len(name)])) {
		return 0
	}
	return strings.IndexByte(s[:min(len(s), maxTag)], '>') + 1
}
