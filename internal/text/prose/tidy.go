package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Leans reports whether a sentence says nothing without the one before: "It is …",
// "Instead, …".
func Leans(sentence string) bool {
	return Pronominal(sentence) || replyRules().Leaning.MatchString(sentence)
}

// Effect reports whether a sentence says only what is better now, or that a check
// passed.
func Effect(sentence string) bool { return replyRules().Effect.MatchString(sentence) }

// Symptom reports whether a text says only that something goes wrong, and nothing
// of why.
func Symptom(text string) bool {
	return replyRules().Failing.MatchString(text) && !replyRules().Explaining.MatchString(text)
}

// Because returns what a sentence gives as the cause of what the one before it
// tells: "This happened because the lock was held". Any other sentence is
// returned as it is.
func Because(sentence string) string {
	return capitalize(sentence[len(replyRules().BecauseLead.FindString(sentence)):])
}

// isPath reports whether a text is only the name of a file.
func isPath(text string) bool {
	return !strings.Contains(text, " ") && strings.Contains(text, "/") && !strings.HasPrefix(text, "http")
}

// Tidy returns a sentence without praise, "I've successfully" and what only
// announces; "" if nothing is left.
func Tidy(s string) string {
	rules := replyRules()
	s = Fold(strings.ReplaceAll(withoutSymbols(s), "**", ""))
	for {
		rest := strings.TrimSpace(s[len(rules.Opener.FindString(s)):])
		if rest == s {
			break
		}
		s = rest
	}
	if s == "" || rules.Empty.MatchString(s) || rules.Announcing.MatchString(s) {
		return ""
	}
	for _, by := range rules.ByClaude {
		if m := by.FindStringSubmatchIndex(s); m != nil {
			s = s[m[2]:]
			break
		}
	}
	return capitalize(strings.TrimPrefix(strings.ReplaceAll(s, " successfully", ""), "Successfully "))
}

// capitalize begins a sentence with a capital, unless it begins with a name.
func capitalize(s string) string {
	word, _, _ := strings.Cut(s, " ")
	isName := strings.ContainsAny(word, "./_`(") && !strings.HasSuffix(word, ".")
	if s == "" || isName || IsIdentifier(strings.Trim(word, ".,:;()'\"")) {
		return s
	}
	first, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(first)) + s[size:]
}

// firstSymbol is the first of the characters that only decorate: "°" does not.
const firstSymbol = '\u2300'

func isSymbol(r rune) bool { return r >= firstSymbol && unicode.Is(unicode.So, r) }

// withoutSymbols drops emojis, ticks and the like.
func withoutSymbols(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if isSymbol(r) || r == '\uFE0F' {
			return -1
		}
		return r
	}, s))
}

// ClipWords shortens s to n bytes between two words, with an ellipsis where
// something is missing.
func ClipWords(s string, n int) string {
	if len(s) <= n {
		return s
	}
	cut := Clip(s, n)
	if i := strings.LastIndexByte(cut, ' '); i > n/2 {
		cut = strings.TrimRight(cut[:i], " ,;:(—–-") + "…"
	}
	return cut
}
