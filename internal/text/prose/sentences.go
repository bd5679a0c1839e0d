package prose

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// abbreviations end in a period that ends no sentence.
var abbreviations = [...]string{"e.g.", "i.e.", "etc.", "vs.", "cf.", "approx.", "z.b.", "d.h.", "bzw.", "p.ex.", "p.ej."}

// Sentences cuts a text into its sentences, each in one line with its mark. A
// line's end ends one too; a mark in a name, a number or between backticks
// does not.
func Sentences(text string) []string {
	var out []string
	start, quoted := 0, false
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '`':
			quoted = !quoted
			continue
		case text[i] == '\n':
			quoted = false
		case quoted || !endsSentence(text, start, i):
			continue
		}
		out = appendLine(out, text[start:i+1])
		start = i + 1
	}
	return appendLine(out, text[start:])
}

func appendLine(lines []string, s string) []string {
	if s = Fold(s); s != "" {
		lines = append(lines, s)
	}
	return lines
}

// endsSentence reports whether the byte at i ends the sentence that begins at
// start.
func endsSentence(s string, start, i int) bool {
	if s[i] != '.' && s[i] != '!' && s[i] != '?' {
		return false
	}
	after := strings.TrimLeft(s[i+1:], " \t")
	if after != "" && len(after) == len(s)-i-1 {
		return false
	}
	if s[i] == '.' && (endsInAbbreviation(s[start:i+1]) || endsInNumber(s[start:i])) {
		return false
	}
	first, _ := utf8.DecodeRuneInString(after)
	return s[i] != '.' || !unicode.IsLower(first)
}

func endsInAbbreviation(s string) bool {
	for _, a := range abbreviations {
		if len(s) >= len(a) && strings.EqualFold(s[len(s)-len(a):], a) {
			return true
		}
	}
	return false
}

// endsInNumber reports whether s is only the number of a list's item.
func endsInNumber(s string) bool { return strings.Trim(s, " \t*-#0123456789") == "" }

// LastSentence returns the sentence with which a text ends, "" for none.
func LastSentence(text string) string {
	all := Sentences(text)
	if len(all) == 0 {
		return ""
	}
	return all[len(all)-1]
}

// FirstSentence returns the first sentence of a line, without its period.
func FirstSentence(line string) string {
	for _, s := range Sentences(line) {
		return strings.TrimRight(s, ".")
	}
	return ""
}
