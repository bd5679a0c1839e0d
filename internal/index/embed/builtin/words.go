package builtin

import (
	"encoding/binary"
	"math"
	"slices"
	"unicode"
	"unicode/utf8"

	"recollect/internal/index/dot"
)

// A Word is a word of the vocabulary, by its rank: the number of more frequent words.
type Word uint16

// leastWeight is the smallest weight of a word that is compared. Lighter words, such as "the", mean too
// little.
const leastWeight = fullWeight / 16

// WordsOf returns the first words of a text that can be compared, each once, at most limit. These are
// words of the vocabulary that mean something by themselves: not "the", and no word with a digit, because
// numbers have similar vectors without meaning the same.
func (m *Model) WordsOf(text string, limit int) []Word {
	words := make([]Word, 0, limit)
	var s Scanner
	s.Reset(text, m.vocab)
	for token := s.Next(); token != nil && len(words) < limit; token = s.Next() {
		at := m.vocab.Find(token)
		if at < 0 || at > math.MaxUint16 {
			continue
		}
		if m.weight(at) < leastWeight || hasDigit(token) {
			continue
		}
		if w := Word(at); !slices.Contains(words, w) {
			words = append(words, w)
		}
	}
	return slices.Clip(words)
}

func hasDigit(word []byte) bool {
	for len(word) > 0 {
		r, size := utf8.DecodeRune(word)
		if unicode.IsDigit(r) {
			return true
		}
		word = word[size:]
	}
	return false
}

// A Comparison compares some words with others. It must be used by one goroutine only.
type Comparison struct {
	model    *Model
	words    [][]int16 // numbers of each word's row
	inverse  []float64 // 1 / length of each row; 0 for one of zeros
	rows     []byte    // numbers of the rows of the others
	others   []float64 // 1 / length of each
	products []int32
}

// NewComparison prepares the comparison of words.
func (m *Model) NewComparison(words []Word) *Comparison {
	c := &Comparison{model: m, words: make([][]int16, len(words)), inverse: make([]float64, len(words))}
	row := make([]byte, stride(m.dims))
	for i, w := range words {
		c.inverse[i] = m.unpack(row, w)
		c.words[i] = make([]int16, len(row))
		for k, x := range row {
			c.words[i][k] = int16(int8(x))
		}
	}
	return c
}

// With prepares the comparison with other words.
func (c *Comparison) With(others []Word) {
	stride := stride(c.model.dims)
	c.rows = slices.Grow(c.rows[:0], len(others)*stride)[:len(others)*stride]
	c.others = slices.Grow(c.others[:0], len(others))[:len(others)]
	c.products = slices.Grow(c.products[:0], len(others))[:len(others)]
	for i, w := range others {
		c.others[i] = c.model.unpack(c.rows[i*stride:][:stride], w)
	}
}

// Cosines writes the cosines of the word with this number and each of the others to out.
func (c *Comparison) Cosines(out []float64, word int) {
	if len(out) > 0 {
		dot.Products(c.products, c.words[word], c.rows)
	}
	for i, p := range c.products {
		out[i] = float64(p) * c.inverse[word] * c.others[i]
	}
}

// unpack writes the numbers of a word's row to dst, the lower halves of the bytes before the upper ones,
// and clears the rest of dst. It returns 1 / the length of the row.
func (m *Model) unpack(dst []byte, w Word) float64 {
	const (
		sign = 0x80808080_80808080
		bias = 0x01010101_01010101 * zero
		low  = 0x0f0f0f0f_0f0f0f0f
	)
	row := m.row(int(w))
	half := len(row)
	for i := 0; i+8 <= half; i += 8 {
		x := binary.LittleEndian.Uint64(row[i:])
		binary.LittleEndian.PutUint64(dst[i:], (x&low|sign)-bias^sign)
		binary.LittleEndian.PutUint64(dst[half+i:], (x>>4&low|sign)-bias^sign)
	}
	clear(dst[2*half:])
	if length := lengthSquared(row); length > 0 {
		return 1 / math.Sqrt(float64(length))
	}
	return 0
}

// squares holds for every byte of a row the sum of the squares of its two numbers.
var squares = func() (out [256]uint8) {
	for b := range out {
		low, high := b&0xf-zero, b>>4-zero
		out[b] = uint8(low*low + high*high)
	}
	return out
}()

func lengthSquared(row []byte) int {
	sum := 0
	for ; len(row) >= 8; row = row[8:] {
		x := binary.LittleEndian.Uint64(row)
		sum += int(squares[uint8(x)]) + int(squares[uint8(x>>8)]) + int(squares[uint8(x>>16)]) + int(squares[uint8(x>>24)]) +
			int(squares[uint8(x>>32)]) + int(squares[uint8(x>>40)]) + int(squares[uint8(x>>48)]) + int(squares[uint8(x>>56)])
	}
	return sum
}
