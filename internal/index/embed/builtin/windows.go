package builtin

import "recollect/internal/index/dot"

// halfWindow is the distance in words between the starts of two windows of a text. A window has twice as
// many words, the last one perhaps fewer.
const halfWindow = 16

// Windows holds the vectors of a text's windows. The zero value has none.
type Windows struct {
	rows    []byte    // in the form that dot.Products takes
	inverse []float32 // 1 / the length of each row, 0 for one of zeros
}

// WindowsOf returns at most limit windows of a text. It returns none if one window would cover the text,
// because the vector of the text serves as well.
func (m *Model) WindowsOf(text string, limit int) Windows {
	var s Scanner
	s.Reset(text, m.vocab)
	var (
		w      Windows
		sum    accumulator
		halves int
	)
	before, next := make([]float32, m.dims), make([]float32, m.dims)
	numbers := make([]int8, stride(m.dims))
	for w.Len() < limit && m.addHalf(&sum, &s) {
		sum.write(next)
		if halves++; halves > 1 {
			for i, x := range next {
				before[i] += x
			}
			w.add(before, numbers)
		}
		before, next = next, before
		sum = accumulator{}
	}
	if w.Len() == 1 {
		return Windows{}
	}
	return w
}

// addHalf adds half a window to sum, or the rest of the text, and reports whether it added a word.
func (m *Model) addHalf(sum *accumulator, s *Scanner) bool {
	words := 0
	for ; words < halfWindow; words++ {
		token := s.Next()
		if token == nil {
			break
		}
		m.addToken(sum, token)
	}
	return words > 0
}

func (w *Windows) add(vector []float32, numbers []int8) {
	inverse, err := dot.Quantize(numbers, vector, dot.MaxRow)
	if err != nil {
		return // impossible: sums of whole numbers are finite
	}
	for _, n := range numbers {
		w.rows = append(w.rows, byte(n))
	}
	w.inverse = append(w.inverse, inverse)
}

// Len returns the number of windows.
func (w *Windows) Len() int { return len(w.inverse) }

// A Query is the vector of a prompt in the form in which it is compared with windows.
type Query struct {
	numbers []int16
	inverse float32
}

// NewQuery prepares a vector of the model. A number that is not finite is an error.
func NewQuery(vector []float32) (*Query, error) {
	q := &Query{numbers: make([]int16, stride(len(vector)))}
	var err error
	q.inverse, err = dot.Quantize(q.numbers, vector, dot.MaxQuery)
	return q, err
}

// Nearest returns the highest cosine of the query with a window, and the mean over all windows. Both are
// 0 if there are none.
func (q *Query) Nearest(w *Windows) (best, mean float64) {
	if w.Len() == 0 {
		return 0, 0
	}
	products := make([]int32, w.Len())
	dot.Products(products, q.numbers, w.rows)
	best = -1
	for i, p := range products {
		cosine := float64(p) * float64(q.inverse) * float64(w.inverse[i])
		best = max(best, cosine)
		mean += cosine / float64(len(products))
	}
	return best, mean
}

// stride returns the length of a row with dims dimensions, padded with zeros.
func stride(dims int) int { return (dims + dot.Align - 1) / dot.Align * dot.Align }
