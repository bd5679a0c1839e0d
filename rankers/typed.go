package rankers

import "time"

// Typed multiplies source weight, recency and relevance, where recency is 1 /
// (1 + age/HalfAge). The kind and the age of a memory matter as much as its
// relevance.
type Typed struct {
	HalfAge time.Duration // age at which recency is one half, above zero
}

// Validate reports a setting out of range.
func (t Typed) Validate() error { return positive("half_age", t.HalfAge) }

// Score implements Ranker.
func (t Typed) Score(c Candidate) Score {
	return product(
		Factor{"weight", c.Weight, 1},
		Factor{"recency", hyperbolic(c.Age, t.HalfAge), 1},
		Factor{"relevance", c.Relevance, 1},
	)
}
