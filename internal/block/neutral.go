package block

import (
	"strings"
	"unicode"

	"recollect/internal/memory"
)

// reserved are the beginnings of tag names that mean something to Claude or
// to Claude Code. A memory that holds one could close our frame, or pass for
// the client's own words.
var reserved = []string{
	memory.FrameTag, "system", "command-", "local-command", "task-notification",
	"bash-", "tool_", "function", "antml", "invoke", "parameter", "persisted-output", "user-prompt",
	"human", "assistant", "user>", "thinking", "instructions", "ide_", "new-diagnostics",
}

// Plain returns text without the characters that steer a terminal or hide text. That is
// enough for people, who do not take a tag for an instruction.
func Plain(text string) string { return strings.Map(visible, text) }

// neutral returns text that is data wherever it stands: tags that could close
// or imitate a frame are opened up, and characters that steer a terminal or
// hide text are gone.
func neutral(text string) string {
	text = Plain(text)
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
	rest = strings.TrimLeftFunc(rest, func(r rune) bool { return r == '/' || unicode.IsSpace(r) || unseen(r) })
	rest = strings.ToLower(strings.Map(seen, rest[:min(len(rest), maxTag)]))
	for _, name := range reserved {
		if strings.HasPrefix(rest, name) {
			return true
		}
	}
	return false
}

// maxTag is how much of a tag is read, in bytes: a reserved name and some invisible
// characters within it.
const maxTag = 80

// unseen reports whether r marks what stands beside it and has no place of
// its own: joiners, variation selectors, accents.
func unseen(r rune) bool { return unicode.In(r, unicode.Cf, unicode.Mn) }

func seen(r rune) rune {
	if unseen(r) {
		return -1
	}
	return r
}

// visible drops control characters but line breaks and tabs, direction marks
// and overrides, zero-width characters and the invisible tag characters.
// Joiners stay, because scripts and emoji need them. Unicode's own line
// breaks become plain ones, which are indented.
func visible(r rune) rune {
	switch {
	case r == '\n' || r == '\t' || r == 0x200C || r == 0x200D:
		return r
	case r == 0x2028 || r == 0x2029:
		return '\n'
	case unicode.In(r, unicode.Cc, unicode.Cf), r >= 0xE0000 && r <= 0xE0FFF:
		return -1
	}
	return r
}
