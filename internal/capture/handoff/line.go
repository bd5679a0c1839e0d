package handoff

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"recollect/internal/text/prose"
)

// A line is one thing that the session came to, and the turn that said it.
type line struct {
	text string
	turn int
}

// joinTexts returns lines as they stand in a field: what one turn said in a few
// words shares a line.
func joinTexts(lines []line) string {
	var out []line
	for _, l := range lines {
		n := len(out)
		if n > 0 && out[n-1].turn == l.turn && len(out[n-1].text)+len(l.text) < maxItem {
			out[n-1].text = strings.TrimRight(out[n-1].text, ".;") + "; " + l.text
		} else {
			out = append(out, l)
		}
	}
	var b strings.Builder
	for i, l := range out {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s (turn %d)", strings.TrimRight(l.text, " ."), l.turn)
	}
	return b.String()
}

// stem is how many letters of a word identify it in whichever form it stands.
const stem = 5

// keyWords returns what identifies the words of a text that say something.
func keyWords(text string) []string {
	var out []string
	for _, word := range strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if rules().Little.MatchString(word) {
			continue
		}
		if letters := []rune(word); len(letters) > stem {
			word = string(letters[:stem])
		}
		prose.AddOnce(&out, word)
	}
	return out
}

// coversText reports whether the words of a text are, but for one in three, among
// known.
func coversText(known []string, text string) bool {
	own := keyWords(text)
	n := 0
	for _, key := range own {
		if hasWord(known, key) {
			n++
		}
	}
	return len(own) > 0 && n*3 >= len(own)*2
}

// hasWord reports whether a word is among known, in any form.
func hasWord(known []string, word string) bool {
	return slices.ContainsFunc(known, func(other string) bool {
		if min(len(word), len(other)) < stem-1 {
			return word == other
		}
		return strings.HasPrefix(word, other) || strings.HasPrefix(other, word)
	})
}

// saidIn reports whether one of lines says what a text does.
func saidIn(text string, lines []line) bool {
	return slices.ContainsFunc(lines, func(l line) bool { return coversText(keyWords(l.text), text) })
}

// withoutText returns the lines that a text does not cover.
func withoutText(lines []line, text string) []line {
	known := keyWords(text)
	return slices.DeleteFunc(lines, func(l line) bool { return coversText(known, l.text) })
}
