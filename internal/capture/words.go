package capture

import (
	"slices"
	"strings"
	"unicode"

	"recollect/internal/memory"
)

// cutMiddle shortens s to about n bytes by its middle: a long prompt says what
// it wants at its beginning or its end.
func cutMiddle(s string, n int) string {
	if len(s) <= n {
		return s
	}
	head := strings.TrimSpace(memory.Clip(s, n*2/3))
	from := len(s) - n/3
	for from < len(s) && s[from]&0xC0 == 0x80 {
		from++
	}
	return head + " … " + strings.TrimSpace(s[from:])
}

// clip shortens s to n bytes, with an ellipsis where something is missing.
func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.TrimSpace(memory.Clip(s, n-len("…"))) + "…"
}

// oneLine returns the first line of s that has text, its white space folded.
func oneLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return folded(s)
}

// folded returns s in one line, with single spaces.
func folded(s string) string { return strings.Join(strings.Fields(s), " ") }

// containsAny reports whether s has one of the parts.
func containsAny(s string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}

// beginsWith reports whether s has one of the beginnings.
func beginsWith(s string, beginnings []string) bool {
	return slices.ContainsFunc(beginnings, func(start string) bool { return strings.HasPrefix(s, start) })
}

// squeeze trims lines at the end and leaves at most one blank line in a row.
func squeeze(s string) string {
	var out []string
	blank := true
	for line := range strings.Lines(s) {
		line = strings.TrimRightFunc(line, unicode.IsSpace)
		if line == "" && blank {
			continue
		}
		blank = line == ""
		out = append(out, line)
	}
	return strings.TrimSpace(strings.Join(out, "\n"))
}

// fillers are words that ask for nothing by themselves.
var fillers = wordSet(`yes y yep yeah no n nope ok okay go on ahead continue proceed next again more please do it that this so now then and sure right correct exactly fine
	good great nice cool perfect awesome thanks thank you thx hi hello hey the all looks sounds lgtm test`)

// trivial reports whether s says nothing without what went before: "yes",
// "ok, go on", "A", "??".
func trivial(s string) bool {
	letters := 0
	for _, word := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !fillers[word] {
			letters += len(word)
		}
	}
	return letters < 3
}

// wordSet is the set of the words in a text.
func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}
