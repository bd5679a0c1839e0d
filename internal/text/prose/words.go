package prose

import (
	"slices"
	"strings"
	"unicode"

	"recollect/internal/memory"
)

// CutMiddle shortens s to about n bytes by its middle: a long prompt says what
// it wants at its beginning or its end.
func CutMiddle(s string, n int) string {
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

// Clip shortens s to n bytes, with an ellipsis where something is missing.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	return strings.TrimSpace(memory.Clip(s, n-len("…"))) + "…"
}

// OneLine returns the first line of s that has text, its white space folded.
func OneLine(s string) string {
	s, _, _ = strings.Cut(strings.TrimSpace(s), "\n")
	return Fold(s)
}

// Fold returns s in one line, with single spaces.
func Fold(s string) string { return strings.Join(strings.Fields(s), " ") }

// ContainsAny reports whether s has one of the parts.
func ContainsAny(s string, parts []string) bool {
	return slices.ContainsFunc(parts, func(part string) bool { return strings.Contains(s, part) })
}

// BeginsWith reports whether s has one of the beginnings.
func BeginsWith(s string, beginnings []string) bool {
	return slices.ContainsFunc(beginnings, func(start string) bool { return strings.HasPrefix(s, start) })
}

// Squeeze trims lines at the end and leaves at most one blank line in a row.
func Squeeze(s string) string {
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

// Fillers are words that ask for nothing by themselves.
var Fillers = WordSet(`yes y yep yeah no n nope ok okay go on ahead continue proceed next again more please do it that this so now then and sure right correct exactly fine
	good great nice cool perfect awesome thanks thank you thx hi hello hey the all looks sounds lgtm test`)

// Trivial reports whether s says nothing without what went before: "yes",
// "ok, go on", "A", "??".
func Trivial(s string) bool {
	letters := 0
	for _, word := range strings.FieldsFunc(strings.ToLower(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if !Fillers[word] {
			letters += len(word)
		}
	}
	return letters < 3
}

// WordSet is the set of the words in a text.
func WordSet(words string) map[string]bool {
	set := map[string]bool{}
	for _, word := range strings.Fields(words) {
		set[word] = true
	}
	return set
}

// AddOnce appends s to a list unless it is empty or there already.
func AddOnce(list *[]string, s string) {
	if s != "" && !slices.Contains(*list, s) {
		*list = append(*list, s)
	}
}

// Quoted returns the words of a list in quotes.
func Quoted(list []string) []string {
	out := make([]string, len(list))
	for i, s := range list {
		out[i] = `"` + s + `"`
	}
	return out
}

// Pronouns are words that stand for what they do not name.
var Pronouns = WordSet(`it this that these those them one there what which das dies ça eso`)

// WholeLines returns as many of the first lines of s as fit in n bytes.
func WholeLines(s string, n int) string {
	if len(s) <= n {
		return s
	}
	if i := strings.LastIndexByte(memory.Clip(s, n), '\n'); i > 0 {
		return s[:i]
	}
	return Clip(s, n)
}
