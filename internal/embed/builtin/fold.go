package builtin

import "unicode"

// Plain letters for the lower-case ones of Latin-1 and Latin Extended-A, by
// code point, and for those of Vietnamese, of which every second code point is
// one; a blank stands for a letter that stays.
const (
	latin1     = "aaaaaa ceeeeiiii nooooo ouuuuy y"
	extendedA  = "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii  jjkkkllllllllllnnnnnnnnnoooooo  rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"
	vietnamese = "aaaaaaaaaaaaeeeeeeeeiioooooooooooouuuuuuuyyyy"
)

// fold removes the accent from a lower-case letter and expands ligatures; the
// second letter is 0 if there is none.
func fold(r rune) (first, second rune) {
	switch r {
	case 'æ':
		return 'a', 'e'
	case 'œ':
		return 'o', 'e'
	case 'ß':
		return 's', 's'
	case 'þ':
		return 't', 'h'
	case 'ð':
		return 'd', 0
	case 'ё':
		return 'е', 0
	case 'й':
		return 'и', 0
	case 'ά':
		return 'α', 0
	case 'έ':
		return 'ε', 0
	case 'ή':
		return 'η', 0
	case 'ί', 'ϊ', 'ΐ':
		return 'ι', 0
	case 'ό':
		return 'ο', 0
	case 'ύ', 'ϋ', 'ΰ':
		return 'υ', 0
	case 'ώ':
		return 'ω', 0
	case 'ς':
		return 'σ', 0
	}
	switch plain := plainLatin(r); plain {
	case ' ', 0:
		return r, 0
	default:
		return rune(plain), 0
	}
}

func plainLatin(r rune) byte {
	switch {
	case 0xe0 <= r && r <= 0xff:
		return latin1[r-0xe0]
	case 0x100 <= r && r <= 0x17f:
		return extendedA[r-0x100]
	case 0x1ea0 <= r && r <= 0x1ef9:
		return vietnamese[(r-0x1ea0)/2]
	case r == 'ơ':
		return 'o'
	case r == 'ư':
		return 'u'
	}
	return 0
}

// ideographic reports whether a rune belongs to a script that is written
// without spaces between words.
func ideographic(r rune) bool {
	const prolonged = 'ー' // of Katakana, though Unicode counts it to no script
	return r >= 0x0e00 && (r == prolonged || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}
