package looks

import (
	"slices"
	"strings"

	"recollect/internal/memory/secret/chars"
)

// isSuggested reports whether a password a browser made up: three groups of six
// letters, one of them a capital and one a digit, as in xuwmuk-revd2C-nutdyg.
func isSuggested(s string) bool {
	const groups, size = 3, 6
	capitals, figures := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case len(s) != groups*(size+1)-1, (i%(size+1) == size) != (c == '-'):
			return false
		case chars.IsUpper(c):
			capitals++
		case chars.IsDigit(c):
			figures++
		case !chars.IsLower(c) && c != '-':
			return false
		}
	}
	return capitals == 1 && figures == 1
}

// IsMadeUp reports whether people make up s where a password is due: a word with a
// capital, a number and a sign, as in BattleOstrich-8379 or Mushroom64100-j.
func IsMadeUp(s string) bool {
	if len(s) < 8 || chars.IsAny(s, IsNoValue, IsTechnical, IsDate) {
		return false
	}
	if strings.ContainsAny(s, "/()[]{}<>\"'`=,;:|\\") || signSorts(s)+strings.Count(s, "_") == 0 {
		return false
	}
	return NumberLength(s) >= 3 && slices.ContainsFunc(WordsOf(s), func(w string) bool { return len(w) >= 4 && chars.IsCapitalized(w) })
}

const (
	joints   = "-_+&,;:.!@#$~*=?%^" // signs that people join words with
	Brackets = "/()[]{}<>\"'`|\\"
)

// IsCoined reports whether s consists of words that people join with signs where a password is due, one of
// them with a capital: quiet-Lantern, Copper,kiln.
func IsCoined(s string) bool {
	if len(s) < 8 || chars.IsAny(s, IsNoValue, IsTechnical, isTalk) {
		return false
	}
	if strings.ContainsAny(s, Brackets) || strings.Contains(s, "::") {
		return false
	}
	words, linking, capital := 0, 0, false
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(joints, r) }) {
		lower := strings.ToLower(w)
		if slices.Contains(compoundEnds, lower) {
			return false
		}
		if slices.Contains(SentenceWords, lower) {
			linking++
		}
		capital = capital || chars.IsUpper(w[0])
		words++
	}
	switch {
	case words < 2, 2*linking >= words, !capital, s == strings.ToUpper(s):
		return false
	case words > 2, chars.HasDigit(s):
		return true
	}
	return strings.ContainsAny(strings.TrimRight(s, ".,;:!?"), strings.ReplaceAll(joints, ".", ""))
}

// isTalk reports whether s has a word that is said of passwords, or that programs are made of.
func isTalk(s string) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return r < 0x80 && !chars.IsLetter(byte(r)) }) {
		if slices.Contains(Settings, w) || slices.Contains(talkWords, w) {
			return true
		}
	}
	return NamesSecret(s)
}

// talkWords are what sentences, forms and programs say of passwords, beside settings.
var talkWords = strings.Fields(`characters character chars letters digits symbols zeichen caracteres caractères minimum maximum min max length least enter type click choose leave blank
	change forgot forgotten show hide copy match mismatch confirm confirmation repeat again days minutes hours attempts account link generator manager strength policy field
	vergessen ändern eingeben wiederholen oublié olvidada else await new return typeof import lambda elif endif get fetch load read config settings options params props
	env request response form model constants utils helper`)

// compoundEnds end words that are said of a password: "Kerberos-only", "App-specific".
var compoundEnds = strings.Fields("based bound encoded encrypted free friendly hashed keychain less like manager only policy protected related safe sensitive side specific style wide")

// IsDotted reports whether s consists of two or three words with capitals and dots between, as people join them: Teapot.Storm.11.
// So are the names of programs written.
func IsDotted(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) < 2 || len(parts) > 3 || NamesSecret(s) {
		return false
	}
	for i, part := range parts {
		if !isDottedPart(part, i == 0) {
			return false
		}
	}
	return true
}

// isDottedPart reports whether part is a word with a capital and perhaps a number behind it, or a number alone that is not the first.
func isDottedPart(part string, isFirst bool) bool {
	word := strings.TrimRight(part, chars.Digits)
	switch {
	case word == "":
		return !isFirst && part != ""
	case len(word) < 3, !chars.IsCapitalized(word):
		return false
	}
	return chars.IsNameWord(word) && !slices.Contains(Settings, strings.ToLower(word))
}

// NumberLength returns how many digits the longest number in s has.
func NumberLength(s string) int {
	longest := 0
	for n := range strings.FieldsFuncSeq(s, func(r rune) bool { return r < '0' || r > '9' }) {
		longest = max(longest, len(n))
	}
	return longest
}

// NamesSecret reports whether s has a word for a secret, or for what stands in its place.
func NamesSecret(s string) bool {
	return slices.ContainsFunc(WordsOf(s), func(w string) bool {
		w = strings.ToLower(w)
		return slices.Contains(secretNouns, w) || slices.Contains(StandIns, w) && len(w) > 3
	})
}

// IsMixed reports whether s has letters and digits that are no procedure, date or measure.
func IsMixed(s string) bool {
	if len(s) < 6 || !chars.HasDigit(s) || !chars.HasLetter(s) {
		return false
	}
	return !chars.IsAny(s, IsTechnical, isMeasure, IsDate, IsNoValue, IsCodeLike)
}

// ProgramName reports whether s is a variable of a program, or a member of one.
func ProgramName(s string) bool { return IsIdentifier(s) && !strings.Contains(s, "-") }

// IsWordAndNumber reports whether s is a word with a number behind, as people choose: Summer2023.
func IsWordAndNumber(s string) bool {
	letters := strings.TrimRight(s, chars.Digits)
	if len(s)-len(letters) < 2 || len(letters) < 4 {
		return false
	}
	return chars.IsNameWord(letters) && strings.ToUpper(letters) != letters && !IsTechnical(s)
}
