package prose

import (
	"slices"
	"strings"
	"unicode"
)

const (
	maxKeywords   = 12
	maxIdentifier = 40
)

// Keywords returns the identifiers and error codes in texts, those first that
// occur most, lower case.
func Keywords(texts ...string) []string {
	count := map[string]int{}
	var order []string
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(text, NotInName) {
			word = strings.Trim(word, "_")
			if !IsIdentifier(word) {
				continue
			}
			word = strings.ToLower(word)
			if count[word]++; count[word] == 1 {
				order = append(order, word)
			}
		}
	}
	slices.SortStableFunc(order, func(a, b string) int { return count[b] - count[a] })
	return order[:min(len(order), maxKeywords)]
}

// NotInName reports whether a character ends a name in code.
func NotInName(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }

// IsIdentifier reports whether word has the form of a name in code (snake_case,
// camelCase, PascalCase, MAX_SIZE) or of an error code (E0611, TS2345).
func IsIdentifier(word string) bool {
	if len(word) < 3 || len(word) > maxIdentifier || !unicode.IsLetter([]rune(word)[0]) {
		return false
	}
	return strings.Contains(word, "_") || isCode(word) || Humps(word) > 0
}

// Humps counts the places where a small letter is followed by a capital.
func Humps(word string) int {
	n, small := 0, false
	for _, r := range word {
		if small && unicode.IsUpper(r) {
			n++
		}
		small = unicode.IsLower(r)
	}
	return n
}

// isCode: one to six capitals, then two to six digits.
func isCode(word string) bool {
	digits := strings.TrimLeft(word, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")
	capitals := len(word) - len(digits)
	if capitals < 1 || capitals > 6 {
		return false
	}
	return len(digits) >= 2 && len(digits) <= 6 && strings.Trim(digits, "0123456789") == ""
}
