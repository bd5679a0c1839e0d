package classifier

import "strings"

// A kind is what a piece looks like.
type kind uint8

const (
	aWord       kind = iota // lower case letters
	aName                   // with a capital first
	aCapitals               // all of them
	aCamel                  // capitals within
	aJoined                 // words with - _ or . between
	aJoinedName             // with capitals
	aSigned                 // words with other signs
	aNumbered               // words with numbers, joined or not
	aNumberedName
	aMarked // words with numbers and signs
	aPath
	aCode
	aCall
	aHash    // of a commit or a file, or a UUID
	anEmail  // address, or what is written like one
	aCovered // with stars in the place of most
	allSigns
	aDialled // digits with signs
	aNumber  // and by its length:
	aNumber4 // 4 and 5
	aNumber6 // 6 and 7
	aNumber8 // and longer
	aHex     // of 8 digits and more
	aHex16
	aHex32
	aHex48
	aHex64
	aMixture // letters without words, and digits, below 8 bytes
	aMixture8
	aMixture12
	aMixture24
	aMixture36
	aMixtureSigned8 // with signs
	aMixtureSigned12
	aMixtureSigned24
	aMixtureSigned36
	aPhrase // several pieces
)

// mayBeSecret reports whether a piece that looks so is a secret often enough to be classified.
func (k kind) mayBeSecret() bool {
	switch k {
	case aWord, aName, aCapitals, aCamel, aPath, aCode, aCall, aHash, anEmail, aCovered, allSigns:
		return false
	}
	return true
}

// sorts counts the bytes of a piece by their sort.
type sorts struct{ lower, upper, digits, high, joints, others int }

func sortsOf(t string) sorts {
	var s sorts
	for i := range len(t) {
		switch c := t[i]; {
		case isSmall(c):
			s.lower++
		case isCapital(c):
			s.upper++
		case isDigit(c):
			s.digits++
		case c >= 0x80:
			s.high++
		case c == '-' || c == '_' || c == '.':
			s.joints++
		default:
			s.others++
		}
	}
	return s
}

// kindOf returns what a piece looks like.
func kindOf(t string) kind {
	s := sortsOf(t)
	letters := s.lower + s.upper + s.high
	switch {
	case s.digits == len(t):
		return aNumber.ofLength(len(t), 4, 6, 8)
	case s.digits > 1 && letters == 0:
		return aDialled
	case letters == 0:
		return allSigns
	}
	inWords := consistsOfWords(t)
	switch {
	case isPath(t), inWords && strings.Count(t, "/") > 1:
		return aPath
	case t[0] == '$' || strings.Contains(t, "${") || strings.Contains(t, "{{"):
		return aCode
	case strings.IndexByte(t, '(') > 0 && inWords:
		return aCall
	case s.digits > 0 && s.lower > 0 && hash(t), uuid(t):
		return aHash
	case isEmail(t):
		return anEmail
	case strings.Contains(t, "***"):
		return aCovered
	case len(t) >= 8 && s.digits > 0 && hex(t):
		return aHex.ofLength(len(t), 16, 32, 48, 64)
	case inWords:
		return s.ofWords(t)
	case len(t) < 8:
		return aMixture
	case s.others+s.joints == 0:
		return aMixture8.ofLength(len(t), 12, 24, 36)
	}
	return aMixtureSigned8.ofLength(len(t), 12, 24, 36)
}

// ofLength returns k, or for each of the lengths that n reaches the kind behind it.
func (k kind) ofLength(n int, lengths ...int) kind {
	for _, l := range lengths {
		if n >= l {
			k++
		}
	}
	return k
}

// ofWords returns what a piece with words looks like.
func (s sorts) ofWords(t string) kind {
	mixed := s.upper > 0 && s.lower > 0
	switch {
	case s.digits > 0 && s.others > 0:
		return aMarked
	case s.digits > 0 && mixed:
		return aNumberedName
	case s.digits > 0:
		return aNumbered
	case s.others > 0 && s.others == len(t)-len(strings.TrimRight(t, "!?")):
		s.others = 0 // the end of a sentence
		return s.ofWords(strings.TrimRight(t, "!?"))
	case s.others > 0:
		return aSigned
	case s.joints > 0 && mixed:
		return aJoinedName
	case s.joints > 0:
		return aJoined
	case s.upper == 0:
		return aWord
	case s.lower+s.high == 0:
		return aCapitals
	case s.upper == 1 && isCapital(t[0]):
		return aName
	}
	return aCamel
}

func isPath(t string) bool {
	isLocal := strings.HasPrefix(t, "./") || strings.HasPrefix(t, "~/")
	return isLocal || t[0] == '/' || strings.Contains(t, "://")
}

// hash reports whether t is the length of a SHA-1 or a SHA-256 in hex.
func hash(t string) bool { return (len(t) == 40 || len(t) == 64) && hex(t) }

func isEmail(t string) bool {
	name, host, found := strings.Cut(t, "@")
	if !found || name == "" || !strings.Contains(strings.Trim(host, "."), ".") {
		return false
	}
	return isPlain(name) && isPlain(host)
}

func uuid(t string) bool {
	return len(t) == 36 && t[8] == '-' && strings.Trim(t, "0123456789abcdefABCDEF-") == ""
}

func hex(t string) bool {
	lower, upper := false, false
	for i := range len(t) {
		switch c := t[i]; {
		case c >= 'a' && c <= 'f':
			lower = true
		case c >= 'A' && c <= 'F':
			upper = true
		case !isDigit(c):
			return false
		}
	}
	return lower != upper
}

// consistsOfWords reports whether three quarters of the letters of t are in words: runs of three and more
// with a vowel.
func consistsOfWords(t string) bool {
	in, all, run, vowel := 0, 0, 0, false
	for i := range len(t) + 1 {
		isLetter := i < len(t) && (t[i] >= 0x80 || isLetter(t[i]))
		if !isLetter || beginsCapital(t, i) {
			all += run
			if vowel && (run >= 3 || run == len(t)) {
				in += run
			}
			run, vowel = 0, false
		}
		if isLetter {
			run++
			vowel = vowel || t[i] >= 0x80 || strings.IndexByte("aeiouyAEIOUY", t[i]) >= 0
		}
	}
	return all > 0 && 4*in >= 3*all
}

// shape returns which sorts of characters a piece has, in order: "Aa0" for Heron42.
func shape(t string) string {
	const longestShape = 10
	var b [longestShape]byte
	n := 0
	for i := 0; i < len(t) && n < longestShape; i++ {
		c := t[i]
		switch {
		case isSmall(c):
			c = 'a'
		case isCapital(c):
			c = 'A'
		case isDigit(c):
			c = '0'
		case c >= 0x80:
			c = 'u'
		}
		if n == 0 || b[n-1] != c {
			b[n] = c
			n++
		}
	}
	return string(b[:n])
}

// mostWords bounds the words of a piece.
const mostWords = 8

// wordsOf appends the words of a piece, with the parts of names apart. A piece without any is a
// number or signs.
func wordsOf(t string, out []Feature) []Feature {
	start, before := -1, len(out)
	for i := range len(t) + 1 {
		isLetter := i < len(t) && (t[i] >= 0x80 || isLetter(t[i]))
		if start >= 0 && (!isLetter || beginsCapital(t, i)) {
			if len(out)-before < mostWords {
				out = append(out, named(t[start:i]))
			}
			start = -1
		}
		if isLetter && start < 0 {
			start = i
		}
	}
	switch {
	case len(out) > before:
	case isDigit(t[0]):
		out = append(out, named("0"))
	default:
		out = append(out, named(t[:min(len(t), 3)]))
	}
	return out
}

func isSmall(c byte) bool   { return c >= 'a' && c <= 'z' }
func isCapital(c byte) bool { return c >= 'A' && c <= 'Z' }
func isLetter(c byte) bool  { return isSmall(c) || isCapital(c) }
func isDigit(c byte) bool   { return c >= '0' && c <= '9' }

// beginsCapital reports whether a word with a capital begins at i, behind a small letter.
func beginsCapital(t string, i int) bool { return i > 0 && isCapital(t[i]) && isSmall(t[i-1]) }
