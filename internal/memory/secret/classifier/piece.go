package classifier

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Piece is a part of a text that may be a secret as a whole, or a part of one: what stands
// between spaces, quotes, brackets and the signs that give a name its value.
type Piece struct {
	Span
	Line int // in the text, from 0
}

// longest is the length of the longest piece in bytes: what is longer is data.
const longest = 512

// breaks are the signs, beside those of ASCII, that end a piece.
var breaks = []string{"…", "„", "“", "”", "«", "»", "，", "。", "「", "」", "：", "→"}

// ending are the bytes that end a piece.
var ending = func() (is [256]bool) {
	for c := range ' ' + 1 {
		is[c] = true
	}
	for _, c := range []byte("\"'`<>|") {
		is[c] = true
	}
	return is
}()

// cutPieces cuts a text into pieces, in order.
func cutPieces(text string) []Piece {
	var out []Piece
	line, start := 0, -1
	cut := func(end int) {
		if start >= 0 {
			if s := trim(text, Span{start, end}); s.End > s.Start {
				out = append(out, Piece{s, line})
			}
		}
		start = -1
	}
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\n':
			cut(i)
			line++
		case c == '\x1b':
			cut(i)
			i += escape(text[i:]) - 1
		case ending[c]:
			cut(i)
		case c >= 0x80 && breakAt(text[i:]) > 0:
			cut(i)
			i += breakAt(text[i:]) - 1
		case start >= 0 && unspaced(text, i):
			cut(i)
			start = i
		case start < 0:
			start = i
		case (c == '=' || c == ':') && isName(text[start:i]):
			cut(i)
		case isListSign(c) && i+1 < len(text) && isPlain(text[start:i]):
			cut(i)
		}
	}
	cut(len(text))
	return out
}

// unspaced reports whether a script that has no spaces between words begins or ends before
// text[i]: what is typed into such a text is often not set apart.
func unspaced(text string, i int) bool {
	if c, before := text[i], text[i-1]; c < 0x80 == (before < 0x80) {
		return false
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	return unicode.In(max(r, before), unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul, unicode.Thai)
}

// escape returns the length of the sequence that colours a terminal, at the beginning of s.
func escape(s string) int {
	if len(s) < 2 || s[1] != '[' {
		return 1
	}
	n := 2
	for n < len(s) && (isDigit(s[n]) || s[n] == ';') {
		n++
	}
	return min(n+1, len(s))
}

// breakAt returns the length of the sign at the beginning of s that ends a piece, 0 if there is
// none.
func breakAt(s string) int {
	for _, b := range breaks {
		if strings.HasPrefix(s, b) {
			return len(b)
		}
	}
	return 0
}

// isName reports whether s may be the name before a sign that gives it a value.
func isName(s string) bool {
	const longestName = 48
	s = strings.TrimLeft(s, "-{[($,;&?")
	if s == "" || len(s) > longestName {
		return false
	}
	for i := range len(s) {
		if !inAnyName(s[i]) {
			return false
		}
	}
	return isLetter(s[0]) || s[0] >= 0x80 || s[0] == '_'
}

// isPlain reports whether s consists of letters and digits alone, with the signs that join them.
func isPlain(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool {
		return r >= 0x80 || !inPlain(byte(r))
	})
}

func inPlain(c byte) bool    { return isLetter(c) || isDigit(c) || strings.IndexByte("_-.", c) >= 0 }
func inAnyName(c byte) bool  { return inPlain(c) || strings.IndexByte("@\\", c) >= 0 || c >= 0x80 }
func isListSign(c byte) bool { return c == ',' || c == ';' }

// trim takes off the signs that belong to the sentence or the program around a piece.
func trim(text string, s Span) Span {
	for s.Start < s.End && strings.IndexByte("([{,;\\=:", text[s.Start]) >= 0 {
		s.Start++
	}
	for s.End > s.Start && strings.IndexByte(")]},;:\\", text[s.End-1]) >= 0 {
		s.End--
	}
	if s.End-s.Start > 1 && strings.IndexByte(".?", text[s.End-1]) >= 0 {
		s.End--
	}
	if s.End-s.Start > longest {
		s.End = s.Start
	}
	return s
}
