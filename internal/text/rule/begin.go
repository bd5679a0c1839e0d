package rule

import (
	"regexp/syntax"
	"unicode"
	"unicode/utf8"
)

// firstBytes are those that a text may begin with.
type firstBytes [256]bool

// firstBytesOf returns the bytes that a text begins with that an expression
// matches, nil if that may be any, or none.
func firstBytesOf(re *syntax.Regexp) *firstBytes {
	first := new(firstBytes)
	if !isAnchored(re) || first.add(re) {
		return nil
	}
	return first
}

// isAnchored reports whether an expression matches only at the beginning of a text.
func isAnchored(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpBeginText:
		return true
	case syntax.OpCapture, syntax.OpConcat:
		return isAnchored(re.Sub[0])
	case syntax.OpAlternate:
		for _, sub := range re.Sub {
			if !isAnchored(sub) {
				return false
			}
		}
		return true
	}
	return false
}

// add adds the bytes that what re matches begins with, and reports whether that
// may be empty.
func (f *firstBytes) add(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		f.addRune(re.Rune[0], re.Flags&syntax.FoldCase != 0)
		return false
	case syntax.OpCharClass:
		for i := 0; i < len(re.Rune); i += 2 {
			f.addRange(re.Rune[i], re.Rune[i+1])
		}
		return false
	case syntax.OpCapture, syntax.OpPlus:
		return f.add(re.Sub[0])
	case syntax.OpStar, syntax.OpQuest:
		f.add(re.Sub[0])
		return true
	case syntax.OpConcat:
		for _, sub := range re.Sub {
			if !f.add(sub) {
				return false
			}
		}
		return true
	case syntax.OpAlternate:
		empty := false
		for _, sub := range re.Sub {
			empty = f.add(sub) || empty
		}
		return empty
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		f.addRange(0, unicode.MaxRune)
		return false
	}
	return true
}

// addRune adds a character, in each case if that does not matter.
func (f *firstBytes) addRune(r rune, anyCase bool) {
	f.addRange(r, r)
	for other := unicode.SimpleFold(r); anyCase && other != r; other = unicode.SimpleFold(other) {
		f.addRange(other, other)
	}
}

// addRange adds characters. Bytes that are no characters match like the
// replacement character.
func (f *firstBytes) addRange(from, to rune) {
	for r := from; r <= min(to, utf8.MaxRune) && r < utf8.RuneSelf; r++ {
		f[r] = true
	}
	if from == to && from >= utf8.RuneSelf && from != utf8.RuneError {
		f[string(from)[0]] = true
	} else if to >= utf8.RuneSelf {
		for b := utf8.RuneSelf; b < len(f); b++ {
			f[b] = true
		}
	}
}
