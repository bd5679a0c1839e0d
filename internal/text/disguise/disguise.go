// Package disguise reads text through what hides its words from a check but not from a reader:
// characters that are not seen, letters of other alphabets that look like ours, letters with a
// space between each, digits in place of letters, entities of HTML.
//
// A reading is the text as it may be read. Whoever looks for something in a text that somebody
// else wrote looks for it in all readings.
package disguise

import (
	"html"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// Readings returns how a text may be read, in lower case: first as it stands, then with what looks
// like a Latin letter as that letter, and with what is spelled out as words. An ordinary text has
// one reading.
func Readings(text string) []string {
	plain := Plain(text)
	out := []string{plain}
	add := func(reading string) {
		if !slices.Contains(out, reading) {
			out = append(out, reading)
		}
	}
	if parted := Plain(withoutHidden(text)); parted != plain {
		add(parted)
	}
	bare := joinLetters(toLatin(plain))
	add(bare)
	for _, one := range []rune{'i', 'l'} {
		add(joinLetters(withoutDigits(bare, one)))
	}
	return out
}

// withoutHidden returns a text with a space in place of what is not seen, which may stand where a reader
// sees the end of a word, and with words that were divided at the end of a line in one.
func withoutHidden(text string) string {
	return divided.ReplaceAllString(strings.Map(func(r rune) rune {
		if !strings.ContainsRune("\n\t\u00ad", r) && unicode.In(r, unicode.Cf, unicode.Cc) {
			return ' '
		}
		return r
	}, text), "$1$2")
}

// divided is a word that goes on in the next line.
var divided = regexp.MustCompile(`(\p{Ll})-[ \t]*\n[ \t]*(\p{Ll})`)

// Plain returns a text as it stands, in lower case: without characters that are not seen and marks
// of emphasis, with the usual form of a letter and of a space. Line breaks stay.
func Plain(text string) string {
	if strings.Contains(text, "&") {
		text = html.UnescapeString(text)
	}
	return norm.NFC.String(strings.Map(plainRune, norm.NFKC.String(fromEnclosed(text))))
}

// plainRune returns the usual form of a character, -1 for one that is not seen.
func plainRune(r rune) rune {
	switch {
	case r == '\n' || r == '\t':
		return r
	case r == '*' || isUnseen(r):
		return -1
	case unicode.IsSpace(r):
		return ' '
	case strings.ContainsRune("’ʼ‘", r):
		return '\''
	}
	return unicode.ToLower(r)
}

// blanks are letters and signs without a shape.
const blanks = "\u115f\u1160\u3164\uffa0\u2800"

// isUnseen reports whether a character has no shape or place of its own. The vowel signs of a script
// belong to it and are no such marks.
func isUnseen(r rune) bool {
	isMark := unicode.Is(unicode.Mn, r) && unicode.Is(unicode.Inherited, r)
	return isMark || unicode.In(r, unicode.Cf, unicode.Cc) || strings.ContainsRune(blanks, r)
}

// fromEnclosed returns a text with the letters in it that stand in a circle, a square or parentheses,
// and those that flags are made of, as letters. The others are the norm's.
func fromEnclosed(text string) string {
	return strings.Map(func(r rune) rune {
		for _, first := range []rune{'\u249c', '\U0001f110', '\U0001f130', '\U0001f150', '\U0001f170', '\U0001f1e6'} {
			if r >= first && r < first+26 {
				return 'a' + r - first
			}
		}
		return r
	}, text)
}

// toLatin returns a text, in lower case, with what looks like a Latin letter as that letter, and
// without accents and the underscores that emphasize a word.
func toLatin(text string) string {
	if !strings.ContainsFunc(text, func(r rune) bool { return r > unicode.MaxASCII || r == '_' }) {
		return text
	}
	runes := []rune(norm.NFD.String(text))
	out := make([]rune, 0, len(runes))
	for i, r := range runes {
		switch as, ok := lookalikes[r]; {
		case ok:
			out = append(out, as)
		case r == '_' && !joinsLetters(runes, i):
			// it marks a word
		case !unicode.Is(unicode.Mn, r):
			out = append(out, r)
		}
	}
	return string(out)
}

// signs are what stands in place of a letter. A 1 may be an i or an l.
var signs = map[rune]rune{
	'0': 'o', '3': 'e', '4': 'a', '5': 's', '7': 't', '8': 'b', '9': 'g', '@': 'a', '$': 's', '!': 'i', '|': 'l', '€': 'e', '£': 'l',
}

// withoutDigits returns a text in which the digits and signs of words that have letters too stand for
// letters.
func withoutDigits(text string, one rune) string {
	words := strings.SplitAfter(text, " ")
	for i, word := range words {
		if len(word) >= leastSpelled && strings.ContainsAny(word, "0134578@$!|€£") && strings.ContainsFunc(word, unicode.IsLetter) {
			words[i] = letters(word, one)
		}
	}
	return strings.Join(words, "")
}

func letters(word string, one rune) string {
	runes := []rune(word)
	end := len(runes)
	for end > 0 && strings.ContainsRune("!|?.,:; \n", runes[end-1]) {
		end-- // signs of a sentence
	}
	for i, r := range runes[:end] {
		if as, ok := signs[r]; ok {
			runes[i] = as
		} else if r == '1' {
			runes[i] = one
		}
	}
	return string(runes)
}

// leastSpelled is how many single letters in a row are a word that is spelled out, and how long a word
// is in which digits stand for letters: 1A is the number of a section.
const leastSpelled = 4

// between are the characters that stand between letters of a word that is spelled out.
const between = " .-_·•|/~,+"

// joinLetters returns a text in which letters that stand alone, each with the same sign behind it, are
// words: "i g n o r e" and "i.g.n.o.r.e". A wider space ends a word.
func joinLetters(text string) string {
	runes := []rune(text)
	var b strings.Builder
	for i := 0; i < len(runes); {
		word, end := spelledAt(runes, i)
		if len(word) < leastSpelled {
			b.WriteRune(runes[i])
			i++
			continue
		}
		b.WriteString(string(word))
		i = end
	}
	return b.String()
}

// spelledAt returns the letters of the word that is spelled out from i on, and where it ends.
func spelledAt(runes []rune, i int) (word []rune, end int) {
	letter := func(at int) bool { return at >= 0 && at < len(runes) && inWord(runes[at]) }
	single := func(at int) bool { return letter(at) && !letter(at-1) && !letter(at+1) }
	if !single(i) || i+1 >= len(runes) || !strings.ContainsRune(between, runes[i+1]) {
		return nil, i
	}
	sign := runes[i+1]
	for at := i; single(at); at += 2 {
		word, end = append(word, runes[at]), at+1
		if at+1 >= len(runes) || runes[at+1] != sign {
			break
		}
	}
	return word, end
}

// joinsLetters reports whether the rune at i stands inside a word.
func joinsLetters(runes []rune, i int) bool {
	if i == 0 || i+1 >= len(runes) {
		return false
	}
	return inWord(runes[i-1]) && inWord(runes[i+1])
}

// inWord reports whether r is a letter, or a digit or sign that stands for one.
func inWord(r rune) bool {
	if r == '|' || r == '!' {
		return false
	}
	_, sign := signs[r]
	return sign || unicode.IsLetter(r) || r == '1'
}

// Spelled returns the words of a text that are spelled out without a wider space between them, so
// that nobody knows where one ends: "ignoreallpreviousinstructions".
func Spelled(text string) []string {
	plain := toLatin(Plain(text))
	words := map[string]bool{}
	for _, reading := range []string{joinLetters(plain), joinLetters(withoutDigits(joinLetters(plain), 'i'))} {
		for _, word := range strings.FieldsFunc(reading, func(r rune) bool { return !unicode.IsLetter(r) }) {
			if len(word) >= leastRun && !strings.Contains(plain, word) {
				words[word] = true
			}
		}
	}
	var out []string
	for word := range words {
		out = append(out, word)
	}
	slices.Sort(out)
	return out
}

// leastRun is the length of a run of letters that may be several words, in bytes.
const leastRun = 9
