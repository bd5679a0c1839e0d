package looks

import (
	"strings"

	"recollect/internal/memory/secret/chars"
)

// IsCodeLike reports whether s is the expression of a program: names that are words, with
// the signs of a program between.
func IsCodeLike(s string) bool {
	if !isBalanced(s) {
		return false
	}
	long, all, signs := 0, 0, 0
	chain := true // only names and what joins them
	for i := 0; i < len(s); {
		start := i
		for i < len(s) && (chars.IsWord(s[i])) {
			i++
		}
		if i > start {
			part := s[start:i]
			if !IsWordy(part) {
				return false
			}
			all += len(part)
			for _, w := range WordsOf(part) {
				if len(w) > 2 {
					long += len(w)
				}
			}
			continue
		}
		switch c := s[i]; {
		case c >= 0x80, strings.IndexByte("~#^", c) >= 0, c == '@' && i > 0, c == '$' && i > 0 && !chars.IsOneOf(s[i-1], "({\""):
			return false
		case strings.IndexByte("([{<\"'),;}]|", c) >= 0:
			signs, chain = signs+1, false
		case c == '.', c == ':', c == '-', c == '>':
			signs++
		case c == '!' && chars.IsWithin(i, 1, len(s)-2) && s[i+1] != '=':
			return false
		default:
			chain = false
		}
		i++
	}
	if signs == 0 || all == 0 {
		return false
	}
	if chain {
		return isNameChain(s)
	}
	return 5*long >= 3*all && 2*all >= len(s) && !IsDisordered(s)
}

// isNameChain reports whether names, joined by signs, are the member of something, without a digit.
func isNameChain(s string) bool {
	if !chars.IsLetter(s[0]) && s[0] != '_' {
		return false
	}
	return strings.ContainsAny(s, ".>:") && !chars.HasDigit(s) && strings.Count(s, ".") < 3
}

// IsCallLike reports whether s is a call, and what is done with its result: z.string().min(8)
func IsCallLike(s string) bool {
	i := 0
	for i < len(s) && (chars.IsWord(s[i]) || s[i] == '.') {
		i++
	}
	if i < 3 || chars.ByteAt(s, i) != '(' || !chars.IsLetter(s[0]) {
		return false
	}
	return IsWordy(strings.ReplaceAll(s[:i], ".", "-")) && (strings.IndexByte(s[i:], ')') > 0 || IsIdentifier(s[i+1:]))
}

// isBalanced reports whether no bracket closes in s that did not open, but at its end.
func isBalanced(s string) bool {
	var open []byte
	for _, c := range []byte(strings.TrimRight(s, ")]}>,;.!")) {
		switch i := strings.IndexByte("([{)]}", c); {
		case i >= 3 && (len(open) == 0 || open[len(open)-1] != "([{"[i-3]):
			return false
		case i >= 3:
			open = open[:len(open)-1]
		case i >= 0:
			open = append(open, c)
		}
	}
	return true
}
