package secret

import (
	"slices"
	"strings"
)

// isSuggested reports a password that a browser made up: three groups of six
// letters, one of them a capital and one a digit, as in xuwmuk-revd2C-nutdyg.
func isSuggested(s string) bool {
	const groups, size = 3, 6
	capitals, figures := 0, 0
	for i := range len(s) {
		switch c := s[i]; {
		case len(s) != groups*(size+1)-1, (i%(size+1) == size) != (c == '-'):
			return false
		case isUpper(c):
			capitals++
		case isDigit(c):
			figures++
		case !isLower(c) && c != '-':
			return false
		}
	}
	return capitals == 1 && figures == 1
}

// isMadeUp reports what people make up where a password is due: a word with a
// capital, a number and a sign, as in BattleOstrich-8379 or Mushroom64100-j.
func isMadeUp(s string) bool {
	if len(s) < 8 || isAny(s, isNoValue, isTechnical, isDate) {
		return false
	}
	if strings.ContainsAny(s, "/()[]{}<>\"'`=,;:|\\") || signSorts(s)+strings.Count(s, "_") == 0 {
		return false
	}
	return numberLength(s) >= 3 && slices.ContainsFunc(wordsOf(s), func(w string) bool { return len(w) >= 4 && isCapitalized(w) })
}

const (
	joints   = "-_+&,;:.!@#$~*=?%^" // signs that people join words with
	brackets = "/()[]{}<>\"'`|\\"
)

// isCoined reports words that people join with signs where a password is due, one of
// them with a capital: quiet-Lantern, Copper,kiln.
func isCoined(s string) bool {
	if len(s) < 8 || isAny(s, isNoValue, isTechnical, isTalk) {
		return false
	}
	if strings.ContainsAny(s, brackets) || strings.Contains(s, "::") {
		return false
	}
	words, linking, capital := 0, 0, false
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return strings.ContainsRune(joints, r) }) {
		lower := strings.ToLower(w)
		if slices.Contains(compoundEnds, lower) {
			return false
		}
		if slices.Contains(sentenceWords, lower) {
			linking++
		}
		capital = capital || isUpper(w[0])
		words++
	}
	switch {
	case words < 2, 2*linking >= words, !capital, s == strings.ToUpper(s):
		return false
	case words > 2, hasDigit(s):
		return true
	}
	return strings.ContainsAny(strings.TrimRight(s, ".,;:!?"), strings.ReplaceAll(joints, ".", ""))
}

// isTalk reports a word in s that is said of passwords, or that programs are made of.
func isTalk(s string) bool {
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool { return r < 0x80 && !isLetter(byte(r)) }) {
		if slices.Contains(settings, w) || slices.Contains(talkWords, w) {
			return true
		}
	}
	return namesSecret(s)
}

// talkWords are what sentences, forms and programs say of passwords, beside settings.
var talkWords = strings.Fields(`characters character chars letters digits symbols zeichen caracteres caractères minimum maximum min max length least enter type click choose leave blank
	change forgot forgotten show hide copy match mismatch confirm confirmation repeat again days minutes hours attempts account link generator manager strength policy field
	vergessen ändern eingeben wiederholen oublié olvidada else await new return typeof import lambda elif endif get fetch load read config settings options params props
	env request response form model constants utils helper`)

// compoundEnds end words that are said of a password: "Kerberos-only", "App-specific".
var compoundEnds = strings.Fields("based bound encoded encrypted free friendly hashed keychain less like manager only policy protected related safe sensitive side specific style wide")

// isDotted reports two or three words with capitals and dots between, as people join them: Teapot.Storm.11.
// So are the names of programs written.
func isDotted(s string) bool {
	parts := strings.Split(s, ".")
	if len(parts) < 2 || len(parts) > 3 || namesSecret(s) {
		return false
	}
	for i, part := range parts {
		if !isDottedPart(part, i == 0) {
			return false
		}
	}
	return true
}

// isDottedPart reports a word with a capital and perhaps a number behind it, or a number alone that is not the first.
func isDottedPart(part string, isFirst bool) bool {
	word := strings.TrimRight(part, digits)
	switch {
	case word == "":
		return !isFirst && part != ""
	case len(word) < 3, !isCapitalized(word):
		return false
	}
	return isNameWord(word) && !slices.Contains(settings, strings.ToLower(word))
}

// numberLength returns how many digits the longest number in s has.
func numberLength(s string) int {
	longest := 0
	for n := range strings.FieldsFuncSeq(s, func(r rune) bool { return r < '0' || r > '9' }) {
		longest = max(longest, len(n))
	}
	return longest
}

// isWholeLine reports a value with letters and digits that goes on to the end of
// the line which its name begins: the name of a secret, or of a variable of a
// program, is none.
func (p *place) isWholeLine(v *given, s string) bool {
	switch {
	case v.quote != 0, !p.beginsLine(), !p.endsLine(v.end), !isMixed(s) && !isCoined(s), p.by != byColon && p.spaced && programName(s):
		return false
	}
	return !namesSecret(s)
}

// namesSecret reports a word for a secret, or for what stands in its place, in s.
func namesSecret(s string) bool {
	return slices.ContainsFunc(wordsOf(s), func(w string) bool {
		w = strings.ToLower(w)
		return slices.Contains(secretNouns, w) || slices.Contains(standIns, w) && len(w) > 3
	})
}

// endsLine reports whether nothing but a comment stands on the line behind end.
func (p *place) endsLine(end int) bool {
	rest, _, _ := strings.Cut(p.text[end:min(len(p.text), end+maxSpace)], "\n")
	rest = strings.TrimLeft(rest, " \t\r")
	return rest == "" || rest[0] == '#'
}

// isMixed reports letters and digits that are no procedure, date or measure.
func isMixed(s string) bool {
	if len(s) < 6 || !hasDigit(s) || !hasLetter(s) {
		return false
	}
	return !isAny(s, isTechnical, isMeasure, isDate, isNoValue, isCodeLike)
}

// programName reports a variable of a program, or a member of one.
func programName(s string) bool { return isIdentifier(s) && !strings.Contains(s, "-") }
