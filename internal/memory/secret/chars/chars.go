// Package chars says what single bytes, and texts as their sequences, consist of: the
// vocabulary in which the rules of package secret are written.
package chars

import "strings"

// Sets of characters.
const (
	Digits       = "0123456789"
	LowerLetters = "abcdefghijklmnopqrstuvwxyz"
)

// ByteAt returns the byte of s at i, and 0 where s has none.
func ByteAt(s string, i int) byte {
	if i < 0 || i >= len(s) {
		return 0
	}
	return s[i]
}

// LastByte returns the last byte of s, and 0 if s is empty.
func LastByte(s string) byte { return ByteAt(s, len(s)-1) }

// IsOneOf reports whether c is one of the signs.
func IsOneOf(c byte, signs string) bool { return strings.IndexByte(signs, c) >= 0 }

// IsLower reports whether c is a small letter of ASCII.
func IsLower(c byte) bool { return c >= 'a' && c <= 'z' }

// IsUpper reports whether c is a capital of ASCII.
func IsUpper(c byte) bool { return c >= 'A' && c <= 'Z' }

// IsDigit reports whether c is a digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsLetter reports whether c is a letter of ASCII.
func IsLetter(c byte) bool { return IsLower(c) || IsUpper(c) }

// IsWord reports whether c is a letter, a digit or an underscore.
func IsWord(c byte) bool { return IsLetter(c) || IsDigit(c) || c == '_' }

// IsSign reports whether c is a sign of ASCII, beside the underscore.
func IsSign(c byte) bool { return c > ' ' && c < 0x7f && !IsWord(c) }

// IsInName reports whether c may be part of a name.
func IsInName(c byte) bool { return IsWord(c) || c == '-' || c == '.' }

// IsInAnyName reports whether c may be part of a name in any script.
func IsInAnyName(c byte) bool { return IsInName(c) || c >= 0x80 }

// IsQuote reports whether c is a quote.
func IsQuote(c byte) bool { return c == '"' || c == '\'' || c == '`' }

// IsBlank reports whether c is a space or a tab.
func IsBlank(c byte) bool { return c == ' ' || c == '\t' }

// IsSpace reports whether c is a space, a tab or the end of a line.
func IsSpace(c byte) bool {
	switch c {
	case ' ', '\t', '\n', '\r':
		return true
	}
	return false
}

// IsWithin reports whether n is at least the one and at most the other bound.
func IsWithin(n, least, most int) bool { return least <= n && n <= most }

// ConsistsOf reports whether s has none but the characters. The empty text has none.
func ConsistsOf(s, characters string) bool { return strings.Trim(s, characters) == "" }

// RepeatsOne reports whether s is its first byte again and again.
func RepeatsOne(s string) bool { return strings.Trim(s, s[:1]) == "" }

// IsNumberUpTo reports whether s is a number of at most so many digits.
func IsNumberUpTo(s string, most int) bool { return len(s) <= most && ConsistsOf(s, Digits) }

// HasDigit reports whether s has a digit.
func HasDigit(s string) bool { return strings.ContainsAny(s, Digits) }

// HasVowel reports whether s has a vowel, in any case of letters.
func HasVowel(s string) bool { return strings.ContainsAny(strings.ToLower(s), "aeiouy") }

// HasLetter reports whether s has a letter of ASCII.
func HasLetter(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && IsLetter(byte(r)) })
}

// HasForeign reports whether s has a character outside of ASCII.
func HasForeign(s string) bool {
	return strings.ContainsFunc(s, func(r rune) bool { return r >= 0x80 })
}

// HasBothCases reports whether s has capitals and small letters.
func HasBothCases(s string) bool { return strings.ToLower(s) != s && strings.ToUpper(s) != s }

// hasLowerRest reports whether no letter of s is a capital but the first.
func hasLowerRest(s string) bool { return s[1:] == strings.ToLower(s[1:]) }

// IsCapitalized reports whether the first letter of s is a capital, and no other.
func IsCapitalized(s string) bool { return IsUpper(s[0]) && hasLowerRest(s) }

// IsOfOneCase reports whether s is written as words are: in capitals, or without one behind its first letter.
func IsOfOneCase(s string) bool { return hasLowerRest(s) || s == strings.ToUpper(s) }

// ContainsAny reports whether s contains one of the texts.
func ContainsAny(s string, texts ...string) bool {
	for _, t := range texts {
		if strings.Contains(s, t) {
			return true
		}
	}
	return false
}

// HasAnyPrefix reports whether s begins with one of the prefixes.
func HasAnyPrefix(s string, prefixes ...string) bool {
	for _, p := range prefixes {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return false
}

// HasAnySuffix reports whether s ends with one of the suffixes.
func HasAnySuffix(s string, suffixes ...string) bool {
	for _, suffix := range suffixes {
		if strings.HasSuffix(s, suffix) {
			return true
		}
	}
	return false
}

// IsAny reports whether one of the predicates holds for s.
func IsAny(s string, predicates ...func(string) bool) bool {
	for _, holds := range predicates {
		if holds(s) {
			return true
		}
	}
	return false
}

// CutLast cuts s around the last sep.
func CutLast(s, sep string) (before, after string, found bool) {
	i := strings.LastIndex(s, sep)
	if i < 0 {
		return s, "", false
	}
	return s[:i], s[i+len(sep):], true
}

// IsNameWord reports whether s is a word of letters alone, as the name of what has a password.
func IsNameWord(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r < 0x80 && !IsLetter(byte(r)) })
}

// IsPlainWord reports whether s consists of letters of which none but the first is a capital.
func IsPlainWord(s string) bool { return IsNameWord(s) && hasLowerRest(s) }
