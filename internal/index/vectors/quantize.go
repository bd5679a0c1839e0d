package vectors

import (
	"fmt"
	"math"
)

const (
	// maxByte is the size of a row's largest number on disk.
	maxByte = 127
	// maxQuery is the same for a query, which is kept finer since that costs
	// nothing. A dot product of MaxDims numbers at their largest still fits
	// 32 bits.
	maxQuery = 2047
)

// quantize scales vector so that its largest number becomes limit and rounds
// it into out, whose rest stays zero. It returns 1 / the length of what it
// wrote, so that cosines are of what is stored and rounding turns vectors but
// does not shorten them; 0 for a vector of zeros.
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

// A query is a vector as rows are compared with it.
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

// score is the cosine with a row times the length of the query; NaN for a dead
// row.
func score(dot int32, inverse float32) float64 { return float64(dot) * float64(inverse) }

// cosine makes a cosine of a score.
func (q *query) cosine(score float64) float64 {
	return max(-1, min(1, score*float64(q.inverse)))
}
