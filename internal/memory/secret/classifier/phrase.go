package classifier

import "strings"

// How long a phrase may be.
const (
	mostPieces    = 8
	longestPhrase = 64 // in bytes
)

// phrase returns the last piece of the phrase that begins with piece i, or i where none does: words
// with a space between, which stand together in quotes, in a cell, or as the value of a name up to
// the end of the line.
func (v *View) phrase(i int) int {
	start := v.Pieces[i].Start
	opens := strings.TrimRight(v.text[:start], " \n")
	if opens == "" {
		return i
	}
	closes := ""
	switch c := opens[len(opens)-1]; c {
	case '"', '\'', '`':
		if len(opens) == start { // the quote is directly before it
			closes = string(c)
		}
	case '|', ';', '\t':
		closes = string(c) + "\n"
	case ':', '=':
		if before := len(opens) - 2; before >= 0 && opens[before] > ' ' { // it gives a name its value
			closes = "\n"
		}
	}
	last := i
	for last+1 < len(v.Pieces) && last-i < mostPieces-1 && v.text[v.Pieces[last].End:v.Pieces[last+1].Start] == " " {
		last++
	}
	behind := byte('\n')
	if rest := strings.TrimLeft(v.text[v.Pieces[last].End:], " "); rest != "" {
		behind = rest[0]
	}
	if v.Pieces[last].End-start > longestPhrase || strings.IndexByte(closes, behind) < 0 {
		return i
	}
	return last
}
