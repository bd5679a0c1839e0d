package secret

import (
	"slices"
	"strings"

	"recollect/internal/memory/secret/chars"
	"recollect/internal/memory/secret/form"
	"recollect/internal/memory/secret/looks"
)

const (
	shortestAlike = 8  // bytes of a secret that is looked for again
	longestAlike  = 64 // and of the longest
	mostAlike     = 20 // secrets that are looked for again, and words of a line that are compared
)

// findAlike returns where the secrets of s stand once more, or with one character changed, missing, or
// changed for the one beside it: people correct a password that they mistyped, and compare the
// old one with the new.
func findAlike(s string, found []form.Span) []form.Span {
	var secrets []string
	for _, f := range found {
		if f.Kind != "password" {
			continue
		}
		if value := s[f.Start:f.End]; len(secrets) < mostAlike && !slices.Contains(secrets, value) && isTyped(value) {
			secrets = append(secrets, value)
		}
	}
	if len(secrets) == 0 {
		return nil
	}
	var out []form.Span
	for w := range wordSpans(s, 0) {
		start, end, _ := unwrap(s, w)
		word := s[start:max(start, end)]
		isAlike := func(secret string) bool {
			return word == secret || chars.HasDigit(word) && isOneEdit(word, secret)
		}
		isKnown := func(f form.Span) bool { return f.Start < end && start < f.End }
		if slices.ContainsFunc(secrets, isAlike) && !slices.ContainsFunc(found, isKnown) {
			out = append(out, passwordAt(start, end))
		}
	}
	return out
}

// passwordAt returns the span of a password that no rule of a file found.
func passwordAt(start, end int) form.Span {
	return form.Span{Start: start, End: end, Kind: "password", Rank: form.RankShape}
}

// findCorrections returns two words of one line that differ in one letter, or in the order of two
// characters, and look as people make up passwords: a word with a capital, a sign, a number. So
// a password is corrected whatever the sentence says of it.
func findCorrections(s string) []form.Span {
	var out, line []form.Span
	lineEnd := 0
	for w := range wordSpans(s, 0) {
		if strings.IndexByte(s[lineEnd:w.Start], '\n') >= 0 {
			line = line[:0]
		}
		lineEnd = w.End
		if !strings.ContainsAny(s[w.Start:w.End], chars.Digits) {
			continue
		}
		start, end, _ := unwrap(s, w)
		if !isWordsAndNumber(s[start:end]) {
			continue
		}
		for _, other := range line {
			if a, b := s[other.Start:other.End], s[start:end]; isOneEdit(a, b) && !haveSameLetters(a, b) {
				out = append(out, other, passwordAt(start, end))
			}
		}
		if len(line) == mostAlike {
			line = line[1:]
		}
		line = append(line, passwordAt(start, end))
	}
	return out
}

// isWordsAndNumber reports whether s is a word with a capital, perhaps a sign and another, and a number: Cedar.lane8.
func isWordsAndNumber(s string) bool {
	words := strings.TrimRight(s, chars.Digits)
	if !chars.IsWithin(len(s), shortestAlike, longestAlike) || !chars.IsWithin(len(s)-len(words), 1, 4) || !chars.IsUpper(s[0]) {
		return false
	}
	first, second := words, ""
	if i := strings.IndexAny(words, ".!#%=&?*+"); i >= 0 {
		first, second = words[:i], words[i+1:]
	}
	if len(first) < 5 || !chars.IsPlainWord(first) {
		return false
	}
	if second == "" {
		return first != words
	}
	return len(second) >= 4 && chars.IsPlainWord(second) && !slices.Contains(looks.Settings, strings.ToLower(second))
}

// haveSameLetters reports whether a and b differ in a digit alone, as the names of two of a kind do.
func haveSameLetters(a, b string) bool {
	return len(a) == len(b) && strings.TrimRight(a, chars.Digits) == strings.TrimRight(b, chars.Digits) && a[len(a)-1] != b[len(b)-2]
}

// isTyped reports whether people type s as a password and programs do not have as a name.
func isTyped(s string) bool {
	isUnusual := strings.ToLower(s) != s || looks.HasInnerSign(s) || strings.Count(s, "-") > 1
	return isUnusual && chars.HasDigit(s) && looks.IsChosen(s)
}

// isOneEdit reports whether a becomes b by one character changed, added or left out, or by two
// beside each other that change places (Damerau, 1964).
func isOneEdit(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	if len(b)-len(a) > 1 || a == b {
		return false
	}
	i, j := 0, 0 // the same bytes at the start, and at the end
	for i < len(a) && a[i] == b[i] {
		i++
	}
	for j < len(a)-i && a[len(a)-1-j] == b[len(b)-1-j] {
		j++
	}
	rest := len(b) - i - j
	if rest != 2 || len(a) != len(b) {
		return rest == 1
	}
	return a[i] == b[i+1] && a[i+1] == b[i]
}
