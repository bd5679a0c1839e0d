package recall

import (
	"strings"
	"unicode"
)

// reserved are the beginnings of tag names that mean something to Claude or
// to Claude Code. A memory that holds one could close our frame, or pass for
// the client's own words.
var reserved = []string{
	"memory-data", "system", "command-", "local-command", "task-notification",
	"bash-", "tool_", "function", "antml", "invoke", "parameter", "persisted-output", "user-prompt",
	"human", "assistant", "user>", "thinking", "instructions", "ide_", "new-diagnostics",
}

// neutral returns text that is data wherever it stands: tags that could close
// or imitate a frame are opened up, and characters that steer a terminal or
// hide text are gone.
func neutral(text string) string {
	text = strings.Map(visible, text)
	if !strings.ContainsRune(text, '<') {
		return text
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i])
		text = text[i+1:]
		if imitates(text) {
			b.WriteString("&lt;")
		} else {
			b.WriteByte('<')
		}
	}
}

// imitates reports whether what follows a "<" makes it a reserved tag.
func imitates(rest string) bool {
	rest = strings.ToLower(strings.TrimLeft(rest[:min(len(rest), 40)], "/ \t\n"))
	for _, name := range reserved {
		if strings.HasPrefix(rest, name) {
			return true
		}
	}
	return false
}

// visible drops control characters but line breaks and tabs, direction
// overrides, zero-width characters and the invisible tag characters.
func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case unicode.IsControl(r),
		r >= 0x202A && r <= 0x202E, r >= 0x2066 && r <= 0x2069,
		r == 0x200B, r == 0x200E, r == 0x200F, r == 0x2060, r == 0xFEFF,
		r >= 0xE0000 && r <= 0xE007F:
		return -1
	}
	return r
}
