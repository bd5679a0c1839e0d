package looks

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// IsSpelled reports whether s is a list of which two items at least are one character, with a word for its case or
// without: capital V, lowercase m, 4, hash. What a password has to have is listed, too.
func IsSpelled(s string) bool {
	single := 0
	for item := range strings.SplitSeq(s, ", ") {
		words := strings.Fields(item)
		if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(characterNames, strings.ToLower(w)) }) {
			return false
		}
		if slices.ContainsFunc(words, func(w string) bool { return utf8.RuneCountInString(w) == 1 }) {
			single++
		}
	}
	return single >= 2
}

// characterNames are what passwords are said to need.
var characterNames = strings.Fields("a letter letters character characters symbol symbols number digit buchstabe buchstaben zeichen zahl ziffer letra carácter lettre caractère lettera carattere bokstav tecken")
