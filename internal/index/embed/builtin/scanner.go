package builtin

import (
	"unicode"
	"unicode/utf8"
)

const (
	// maxWord is the largest length of a word in bytes. Longer ones are not real words, and their
	// beginning is enough.
	maxWord = 64
	maxCuts = 15
)

// A Scanner divides a text into tokens: lower-case words without accents. A word ends at every character
// that is neither letter nor digit, so snake_case and paths are divided. A compound, a word in camelCase
// or with both digits and letters, is one token if the vocabulary has it ("javascript", "k8s"), otherwise
// several. It drops a possessive 's and skips other apostrophes. Scripts without spaces give overlapping
// pairs of characters.
type Scanner struct {
	text  string
	vocab *Vocabulary
	pos   int
	pair  bool // the ideograph at pos was the second of the last pair

	word [maxWord]byte
	size int
	cuts [maxCuts]uint8 // ends of the parts of a compound
	ncut int
	part int // the next part to return; 0 if there is none
}

// Reset starts scanning a text. With a nil vocabulary all words are unknown.
func (s *Scanner) Reset(text string, vocab *Vocabulary) {
	s.text, s.vocab, s.pos, s.pair = text, vocab, 0, false
	s.size, s.ncut, s.part = 0, 0, 0
}

// Next returns the next token, or nil at the end. The bytes are valid until
// the next call.
func (s *Scanner) Next() []byte {
	if s.part > 0 {
		return s.nextPart()
	}
	for s.pos < len(s.text) {
		r, size := s.rune(s.pos)
		switch {
		case ideographic(r):
			if token := s.ideographs(r, size); token != nil {
				return token
			}
		case unicode.IsLetter(r) || unicode.IsDigit(r):
			s.scanWord()
			if s.ncut == 0 || s.vocab.Find(s.word[:s.size]) >= 0 {
				return s.word[:s.size]
			}
			return s.nextPart()
		default:
			s.pos += size
		}
	}
	return nil
}

// Compound returns the whole compound if Next has just returned its first part, otherwise nil. The bytes
// are valid until the next call of Next.
func (s *Scanner) Compound() []byte {
	if s.part == 1 {
		return s.word[:s.size]
	}
	return nil
}

// rune decodes the rune at a position, with a fast path for ASCII.
func (s *Scanner) rune(pos int) (rune, int) {
	if c := s.text[pos]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	return utf8.DecodeRuneInString(s.text[pos:])
}

// after returns the rune at a position, or 0 beyond the end.
func (s *Scanner) after(pos int) rune {
	if pos >= len(s.text) {
		return 0
	}
	r, _ := s.rune(pos)
	return r
}

// nextPart returns the next part of the compound in word.
func (s *Scanner) nextPart() []byte {
	start, end := 0, s.size
	if s.part > 0 {
		start = int(s.cuts[s.part-1])
	}
	if s.part < s.ncut {
		end = int(s.cuts[s.part])
		s.part++
	} else {
		s.part = 0
	}
	return s.word[start:end]
}

// ideographs returns the pair of ideographs that begins at pos, a single one if it stands alone, and nil
// for the last one of a run of several.
func (s *Scanner) ideographs(r rune, size int) []byte {
	next := s.after(s.pos + size)
	alone := !s.pair
	s.pos += size
	s.size = utf8.EncodeRune(s.word[:], r)
	if s.pair = ideographic(next); s.pair {
		s.size += utf8.EncodeRune(s.word[s.size:], next)
		return s.word[:s.size]
	}
	if alone {
		return s.word[:s.size]
	}
	return nil
}

// kind classifies letters to find the borders of a word's parts.
type kind uint8

const (
	lower kind = iota + 1 // also letters of scripts without case
	upper
	digit
)

func kindOf(r rune) kind {
	switch {
	case unicode.IsDigit(r):
		return digit
	case unicode.IsUpper(r):
		return upper
	}
	return lower
}

// scanWord reads the word at pos into word and records the borders of its
// parts.
func (s *Scanner) scanWord() {
	s.size, s.ncut = 0, 0
	var before, last kind // kinds of the last two letters
	lastAt := 0           // offset of the last letter in word
	for s.pos < len(s.text) {
		r, size := s.rune(s.pos)
		switch {
		case r == '\'' || r == '’':
			if !s.inner(size) {
				return
			}
		case unicode.In(r, unicode.Mn, unicode.Mc): // the accent or vowel sign of the letter before
		case ideographic(r) || !unicode.IsLetter(r) && !unicode.IsDigit(r):
			return
		default:
			now := kindOf(r)
			if at := s.border(before, last, now, lastAt, size); at > 0 {
				s.cut(at)
			}
			before, last, lastAt = last, now, s.size
			s.append(r)
		}
		s.pos += size
	}
}

// inner reports whether the apostrophe at pos is inside a word. It moves pos
// past a possessive 's.
func (s *Scanner) inner(size int) bool {
	next := s.after(s.pos + size)
	if !unicode.IsLetter(next) || ideographic(next) {
		return false
	}
	if next == 's' || next == 'S' {
		if after := s.after(s.pos + size + 1); !unicode.IsLetter(after) && !unicode.IsDigit(after) {
			s.pos += size + 1
			return false
		}
	}
	return true
}

// border returns where the current part ends if a letter of the kind now follows, or 0 if it goes on.
func (s *Scanner) border(before, last, now kind, lastAt, size int) int {
	begun := before == upper && last == upper && now == lower
	switch {
	case last == 0:
		return 0
	case (last == digit) != (now == digit), last == lower && now == upper:
		return s.size
	case begun && !s.plural(size):
		return lastAt // HTTPServer: the S belongs to the next part
	}
	return 0
}

// plural reports whether the letter at pos is the s of "URLs".
func (s *Scanner) plural(size int) bool {
	next := s.after(s.pos + size)
	return s.text[s.pos] == 's' && !unicode.IsLetter(next) && !unicode.IsDigit(next)
}

// cut records a border, unless no letter can follow because the word has
// maxWord bytes already.
func (s *Scanner) cut(at int) {
	if at > maxWord-utf8.UTFMax || s.ncut == maxCuts {
		return
	}
	if s.ncut > 0 && int(s.cuts[s.ncut-1]) >= at {
		return
	}
	s.cuts[s.ncut] = uint8(at)
	s.ncut++
}

// append adds a letter in its folded form, unless the word has reached its
// maximum length.
func (s *Scanner) append(r rune) {
	if s.size+utf8.UTFMax > maxWord {
		return
	}
	if r < utf8.RuneSelf {
		if 'A' <= r && r <= 'Z' {
			r += 'a' - 'A'
		}
		s.word[s.size] = byte(r)
		s.size++
		return
	}
	first, second := fold(unicode.ToLower(r))
	s.size += utf8.EncodeRune(s.word[s.size:], first)
	if second != 0 {
		s.size += utf8.EncodeRune(s.word[s.size:], second)
	}
}
