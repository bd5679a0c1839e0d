package vectors

import (
	"fmt"
	"math"
)

const (
	// maxByte is the absolute value of a row's largest number on disk.
	maxByte = 127
	// maxQuery is the same for a query. It is larger, because more precision
	// costs nothing there. The largest dot product, MaxDims * maxByte *
	// maxQuery = 1.07e9, fits into 32 bits.
	maxQuery = 2047
)

// quantize scales vector so that its largest number becomes limit, rounds it and
// writes it to out; numbers of out beyond its end stay zero. It returns 1 / the
// length of the rounded vector, so that cosines refer to what is stored:
// rounding changes the direction of a vector, but not its length. For a vector
// of zeros it returns 0.
func quantize[T int8 | int16](out []T, vector []float32, limit float64) (float32, error) {
	largest := 0.0
	for _, x := range vector {
		size := math.Abs(float64(x))
		if math.IsNaN(size) || math.IsInf(size, 0) {
			return 0, fmt.Errorf("a number is %v", x)
		}
		largest = max(largest, size)
	}
	if largest == 0 {
		return 0, nil
	}
	sum := 0
	for i, x := range vector {
		n := int(math.Round(float64(x) / largest * limit))
		out[i] = T(n)
		sum += n * n
	}
	return float32(1 / math.Sqrt(float64(sum))), nil
}

// A query is a vector in the form in which it is compared with rows.
type query struct {
	numbers []int16
	inverse float32 // 1 / length
}

func newQuery(vector []float32, dims int) (*query, error) {
	if len(vector) != dims {
		return nil, fmt.Errorf("query has %d numbers, want %d", len(vector), dims)
	}
	q := &query{numbers: make([]int16, aligned(dims))}
	var err error
	if q.inverse, err = quantize(q.numbers, vector, maxQuery); err != nil {
		return nil, fmt.Errorf("query: %w", err)
	}
	return q, nil
}

// score returns the cosine with a row times the length of the query, or NaN for
// a dead row.
func score(product int32, inverse float32) float64 { return float64(product) * float64(inverse) }

// cosine converts a score into a cosine, in [-1, 1].
func (q *query) cosine(score float64) float64 {
	return max(-1, min(1, score*float64(q.inverse)))
}
