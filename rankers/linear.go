package rankers

import (
	"errors"
	"time"
)

// Linear adds relevance, recency and frequency of use, each with its share.
// Recency is 1 / (1 + age/HalfAge). The source's weight is not used.
type Linear struct {
	Relevance, Recency, Frequency float64 // shares, each in [0, 1]
	HalfAge                       time.Duration
}

// Validate reports a setting out of range.
func (l Linear) Validate() error {
	return errors.Join(
		share("relevance", l.Relevance),
		share("recency", l.Recency),
		share("frequency", l.Frequency),
		positive("half_age", l.HalfAge),
	)
}

// Score implements Ranker.
func (l Linear) Score(c Candidate) Score {
	return sum(
		Factor{"relevance", c.Relevance, l.Relevance},
		Factor{"recency", hyperbolic(c.Age, l.HalfAge), l.Recency},
		Factor{"frequency", frequency(c.Uses), l.Frequency},
	)
}
