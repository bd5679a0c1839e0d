package vectors

import (
	"fmt"

	"recollect/internal/index/dot"
)

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
	if q.inverse, err = dot.Quantize(q.numbers, vector, dot.MaxQuery); err != nil {
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
