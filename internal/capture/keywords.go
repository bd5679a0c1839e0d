package capture

import (
	"slices"
	"strings"
	"unicode"
)

const (
	maxKeywords   = 12
	maxIdentifier = 40
)

// keywords returns the identifiers and error codes in texts, those first that
// occur most, lower case.
func keywords(texts ...string) []string {
	count := map[string]int{}
	var order []string
	for _, text := range texts {
		for _, word := range strings.FieldsFunc(text, notInName) {
			word = strings.Trim(word, "_")
			if !isIdentifier(word) {
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

func notInName(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' }

// isIdentifier reports whether word has the form of a name in code (snake_case,
// camelCase, PascalCase, MAX_SIZE) or of an error code (E0611, TS2345).
func isIdentifier(word string) bool {
	if len(word) < 3 || len(word) > maxIdentifier || !unicode.IsLetter([]rune(word)[0]) {
		return false
	}
	return strings.Contains(word, "_") || isCode(word) || humps(word) > 0
}

// humps counts the places where a small letter is followed by a capital.
func humps(word string) int {
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
	return capitals >= 1 && capitals <= 6 && len(digits) >= 2 && len(digits) <= 6 && strings.Trim(digits, "0123456789") == ""
}
