package builtin

import "unicode"

// Plain letters for the lower-case letters of Latin-1 and Latin Extended-A, by code point, and for those
// of Vietnamese, which are every second code point. A blank stands for a letter that remains.
const (
	latin1     = "aaaaaa ceeeeiiii nooooo ouuuuy y"
	extendedA  = "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiii  jjkkkllllllllllnnnnnnnnnoooooo  rrrrrrssssssssttttttuuuuuuuuuuuuwwyyyzzzzzzs"
	vietnamese = "aaaaaaaaaaaaeeeeeeeeiioooooooooooouuuuuuuyyyy"
)

// letters maps other letters with accents to plain ones, and ligatures to their two letters.
var letters = map[rune][2]rune{
	'æ': {'a', 'e'}, 'œ': {'o', 'e'}, 'ß': {'s', 's'}, 'þ': {'t', 'h'}, 'ð': {'d'}, 'ơ': {'o'}, 'ư': {'u'}, 'ё': {'е'}, 'й': {'и'},
	'ά': {'α'}, 'έ': {'ε'}, 'ή': {'η'}, 'ί': {'ι'}, 'ϊ': {'ι'}, 'ΐ': {'ι'}, 'ό': {'ο'}, 'ύ': {'υ'}, 'ϋ': {'υ'}, 'ΰ': {'υ'}, 'ώ': {'ω'}, 'ς': {'σ'},
}

// fold removes the accent from a lower-case letter and expands ligatures; the
// second letter is 0 if there is none.
func fold(r rune) (first, second rune) {
	if plain, ok := letters[r]; ok {
		return plain[0], plain[1]
	}
	if plain := plainLatin(r); plain != ' ' {
		return rune(plain), 0
	}
	return r, 0
}

// plainLatin returns the plain letter for r, or a blank.
func plainLatin(r rune) byte {
	switch {
	case 0xe0 <= r && r <= 0xff:
		return latin1[r-0xe0]
	case 0x100 <= r && r <= 0x17f:
		return extendedA[r-0x100]
	case 0x1ea0 <= r && r <= 0x1ef9:
		return vietnamese[(r-0x1ea0)/2]
	}
	return ' '
}

// ideographic reports whether a rune belongs to a script that is written
// without spaces between words.
func ideographic(r rune) bool {
	const prolonged = 'ー' // of Katakana, although Unicode assigns it to no script
	return r >= 0x0e00 && (r == prolonged || unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar))
}
