package secret

import (
	"strings"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

// Bounds of a list of codes: lines that are none between its heading and the
// first of them, codes, and bytes of a line.
const (
	maxAway  = 3
	maxCodes = 64
	maxLine  = 200
)

// recoveryCodes returns the codes below the heading in which the keyword ends at i,
// or behind it, which log in without a second factor, and up to where it has read.
// A single one is none, unless it has four groups.
func recoveryCodes(text string, i int) (found []form.Span, read int) {
	line := form.LineAt(text, i)
	if len(line) > form.MaxRow {
		return nil, i
	}
	if n := strings.IndexByte(line, ':'); n >= 0 {
		found = codesIn(text, i+n+1, line[n+1:])
	}
	end := i + len(line) + 1
	for away := 0; end < len(text) && len(found) < maxCodes; {
		line = form.LineAt(text, end)
		codes := []form.Span(nil)
		if len(line) <= maxLine {
			codes = codesIn(text, end, line)
		}
		if len(codes) == 0 {
			if away++; len(found) > 0 && strings.TrimSpace(line) != "" || away > maxAway {
				break
			}
		}
		found = append(found, codes...)
		end += len(line) + 1
	}
	if len(found) == 0 || len(found) == 1 && strings.Count(text[found[0].Start:found[0].End], "-") < 3 {
		return nil, i
	}
	return found, min(end, len(text))
}

// codesIn returns the codes that a line of text at offset is made of, nil if one of
// its words is none.
func codesIn(text string, offset int, line string) []form.Span {
	var out []form.Span
	for w := range wordSpans(line, offset) {
		start, end, _ := unwrap(text, w)
		for end > start && strings.IndexByte("•-*|[✓", text[start]) >= 0 {
			start++
		}
		s := strings.TrimRight(text[start:end], "|]\"',;")
		switch {
		case s == "" || len(s) < 4 && strings.Trim(s, chars.Digits+".)☐□✓•│") == "":
			continue // the number or the sign of a line
		case continuesCode(out, start, s):
			out[len(out)-1].End = start + len(s)
			continue
		case !recoveryCode(s):
			return nil
		}
		out = append(out, form.Span{Start: start, End: start + len(s)})
	}
	return out
}

// recoveryCode reports whether s consists of letters and digits, in groups of the same length.
func recoveryCode(s string) bool {
	groups := strings.Split(s, "-")
	if len(groups) > 8 || len(s) < 4 {
		return false
	}
	for _, g := range groups {
		if !chars.IsWithin(len(g), 3, 32) || len(g) > len(groups[0])+2 {
			return false
		}
		for i := range len(g) {
			if !chars.IsDigit(g[i]) && !chars.IsLetter(g[i]) {
				return false
			}
		}
	}
	if chars.HasDigit(s) && !dateLike(s) {
		return true
	}
	return len(s) >= 8 && !looks.IsWordy(s)
}

// dateLike reports whether s is a date: 2026-01-05.
func dateLike(s string) bool {
	return strings.Count(s, "-") == 2 && len(s) == len("2026-01-05") && strings.Trim(s, chars.Digits+"-") == ""
}

// continuesCode reports whether s, which begins at start, is the second half of the last code: 1234 5678.
func continuesCode(codes []form.Span, start int, s string) bool {
	if len(codes) == 0 || !chars.IsNumberUpTo(s, 5) {
		return false
	}
	last := codes[len(codes)-1]
	return last.End == start-1 && last.End-last.Start == len(s)
}
