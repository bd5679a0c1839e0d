package secret

import "strings"

const (
	digits       = "0123456789"
	lowerLetters = "abcdefghijklmnopqrstuvwxyz"
)

// byteAt returns the byte of s at i, and 0 where s has none.
func byteAt(s string, i int) byte {
	if i < 0 || i >= len(s) {
		return 0
	}
	return s[i]
}

// lastByte returns the last byte of s, and 0 if s is empty.
func lastByte(s string) byte { return byteAt(s, len(s)-1) }

// isOneOf reports whether c is one of the signs.
func isOneOf(c byte, signs string) bool { return strings.IndexByte(signs, c) >= 0 }

func isLower(c byte) bool  { return c >= 'a' && c <= 'z' }
func isUpper(c byte) bool  { return c >= 'A' && c <= 'Z' }
func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return isLower(c) || isUpper(c) }
func isWord(c byte) bool   { return isLetter(c) || isDigit(c) || c == '_' }

// isSign reports whether c is a sign of ASCII, beside the underscore.
func isSign(c byte) bool { return c > ' ' && c < 0x7f && !isWord(c) }

// isInName reports whether c may be part of a name.
func isInName(c byte) bool { return isWord(c) || c == '-' || c == '.' }

// isInAnyName reports whether c may be part of a name in any script.
func isInAnyName(c byte) bool { return isInName(c) || c >= 0x80 }

func isQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }
func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isSpace(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r':
		return true
	}
	return false
}

// isWithin reports whether n is at least the one and at most the other bound.
func isWithin(n, least, most int) bool { return least <= n && n <= most }

// consistsOf reports whether s has none but the characters. The empty text has none.
func consistsOf(s, characters string) bool { return strings.Trim(s, characters) == "" }

// repeatsOne reports whether s is its first byte again and again.
func repeatsOne(s string) bool { return strings.Trim(s, s[:1]) == "" }

// isNumberUpTo reports whether s is a number of at most so many digits.
func isNumberUpTo(s string, most int) bool { return len(s) <= most && consistsOf(s, digits) }

func hasDigit(s string) bool { return strings.ContainsAny(s, digits) }
func hasVowel(s string) bool { return strings.ContainsAny(strings.ToLower(s), "aeiouy") }

// hasLetter reports whether s has a letter of ASCII.
func hasLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && isLetter(byte(r)) })
}

// hasForeign reports whether s has a character outside of ASCII.
func hasForeign(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

// hasBothCases reports whether s has capitals and small letters.
func hasBothCases(s string) bool { return strings.ToLower(s) != s && strings.ToUpper(s) != s }

// hasLowerRest reports whether no letter of s is a capital but the first.
func hasLowerRest(s string) bool { return s[1:] == strings.ToLower(s[1:]) }

// isCapitalized reports whether the first letter of s is a capital, and no other.
func isCapitalized(s string) bool { return isUpper(s[0]) && hasLowerRest(s) }

// isOfOneCase reports whether s is written as words are: in capitals, or without one behind its first letter.
func isOfOneCase(s string) bool { return hasLowerRest(s) || s == strings.ToUpper(s) }

// containsAny reports whether s contains one of the texts.
func containsAny(s string, texts ...string) bool {
	for _, t := range texts {
		if strings.Contains(s, t) {
			return true
		}
	}
	return false
}

// hasAnyPrefix reports whether s begins with one of the prefixes.
func hasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// hasAnySuffix reports whether s ends with one of the suffixes.
func hasAnySuffix(s string, suffixes ...string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}

// isAny reports whether one of the predicates holds for s.
func isAny(s string, predicates ...func(string) bool) bool {
	for _, holds := range predicates {
		if holds(s) {
			return true
		}
	}
	return false
}

// cutLast cuts s around the last sep.
func cutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}
