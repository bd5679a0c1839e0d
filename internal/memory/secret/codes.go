package secret

import (
	"regexp"
	"strings"
	"sync"

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
	if n := strings.IndexByte(line[:min(len(line), form.MaxRow)], ':'); n >= 0 {
		found = codesIn(text, i+n+1, line[n+1:])
	}
	end := i + len(line) + 1
	for away := 0; end < len(text) && len(found) < maxCodes; end += len(line) + 1 {
		line = form.LineAt(text, end)
		codes := codesIn(text, end, line[:min(len(line), maxLine)])
		if len(codes) == 0 {
			if away++; len(found) > 0 && strings.TrimSpace(line) != "" || away > maxAway {
				break
			}
		}
		found = append(found, codes...)
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

var codeForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`\A[A-Za-z\d]{3,32}(?:-[A-Za-z\d]{3,32}){0,7}\z`) })

// recoveryCode reports whether s consists of letters and digits, in groups of about the same length.
func recoveryCode(s string) bool {
	if len(s) < 4 || !codeForm().MatchString(s) {
		return false
	}
	first, _, _ := strings.Cut(s, "-")
	for g := range strings.SplitSeq(s, "-") {
		if len(g) > len(first)+2 {
			return false
		}
	}
	return chars.HasDigit(s) || len(s) >= 8 && !looks.IsWordy(s)
}

// continuesCode reports whether s, which begins at start, is the second half of the last code: 1234 5678.
func continuesCode(codes []form.Span, start int, s string) bool {
	if len(codes) == 0 || !chars.IsNumberUpTo(s, 5) {
		return false
	}
	last := codes[len(codes)-1]
	return last.End == start-1 && last.End-last.Start == len(s)
}
