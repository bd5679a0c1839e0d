package rankers

import "time"

// Typed multiplies: source weight × recency × relevance, with recency
// 1 / (1 + age/HalfAge). What kind of memory it is and how old it is count as
// much as how well it fits.
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
