package embed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"

	"recollect/internal/config/endpoint"
)

// maxDims is the largest number of dimensions of a vector. The largest models for a laptop have 4096.
const maxDims = 4096

// maxPanic is the number of bytes of a backend's panic message that an error quotes.
const maxPanic = 120

// guarded asks a backend for one vector. It returns an error if the backend panics or its answer does not
// have exactly one vector.
func guarded(ctx context.Context, b backend, text string) (vectors [][]float32, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("it panicked: %s", endpoint.OneLine(fmt.Sprint(r), maxPanic))
		}
	}()
	vectors, err = b.CreateEmbedding(ctx, []string{text})
	if err == nil && len(vectors) != 1 {
		err = fmt.Errorf("it answered with %d vectors to one text", len(vectors))
	}
	return vectors, err
}

// A space records the number of dimensions of a model's vectors once the first is known.
type space struct {
	dims atomic.Int64
}

func (s *space) size() int { return int(s.dims.Load()) }

// check checks that v is a vector of this space and returns a copy of length
// 1. The first valid vector determines the number of dimensions.
func (s *space) check(v []float32) ([]float32, error) {
	n := int64(len(v))
	if n == 0 || n > maxDims {
		return nil, fmt.Errorf("it answered with a vector of %d dimensions, not of 1 to %d", n, maxDims)
	}
	v, err := unit(v)
	if err != nil {
		return nil, err
	}
	if !s.dims.CompareAndSwap(0, n) && s.dims.Load() != n {
		return nil, fmt.Errorf("it answered with a vector of %d dimensions, where it had %d before: is it another model?", n, s.dims.Load())
	}
	return v, nil
}

var (
	errNotFinite = errors.New("it answered with a vector that has no finite length")
	errZeros     = errors.New("it answered with a vector of zeros")
)

// unit returns a copy of v, scaled to length 1.
func unit(v []float32) ([]float32, error) {
	var sum float64
	for _, x := range v {
		sum += float64(x) * float64(x)
	}
	if math.IsNaN(sum) || math.IsInf(sum, 0) {
		return nil, errNotFinite
	}
	// Shorter vectors have lost their precision, and with it their direction.
	if sum < 1e-30 {
		return nil, errZeros
	}
	scale := 1 / math.Sqrt(sum)
	out := make([]float32, len(v))
	for i, x := range v {
		out[i] = float32(float64(x) * scale)
	}
	return out, nil
}
