package relevance

import "recollect/internal/index/vectors"

// A Spread is how the cosines of a prompt with all memories of a store lie.
type Spread vectors.Spread

// The mean cosine of a few hits is unreliable: of two memories, one that repeats the prompt would
// make the other seem unrelated. So assumedHits further hits are counted in, with a cosine that
// memories near a topic often have.
const (
	assumedHits   = 10
	assumedCosine = 0.3
)

// MeanOf returns the mean cosine of the hits and the assumed hits.
func MeanOf(hits []vectors.Hit) float64 {
	sum := assumedHits * assumedCosine
	for _, h := range hits {
		sum += h.Cosine
	}
	return sum / float64(len(hits)+assumedHits)
}

// Distance returns how many standard deviations a cosine is above the mean of the store's. Of a
// few memories both are unreliable, so that it counts less: see known.
func (s *Spread) Distance(cosine float64) float64 {
	return (cosine - s.Mean) / max(leastDeviation, s.Deviation) * s.known()
}

// known returns how far the spread of the store's cosines is known, in [0, 1): half where there are
// assumedHits.
func (s *Spread) known() float64 {
	n := float64(s.Rows)
	return n / (n + assumedHits)
}

// leastDeviation keeps a store of the same memory again and again from making anything stand out.
const leastDeviation = 0.01
