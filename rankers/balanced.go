package rankers

import (
	"errors"
	"math"
	"time"
)

// Balanced adds recency, relevance, frequency and cost, each with its share.
// Recency is exp(−age/MaxAge). The cost factor falls with the memory's length:
// the shorter of two otherwise equal memories ranks higher. The source's weight
// is not used.
type Balanced struct {
	Recency, Relevance, Frequency, Cost float64 // shares, each in [0, 1]
	MaxAge                              time.Duration
}

// Validate reports a setting out of range.
func (b Balanced) Validate() error {
	return errors.Join(
		share("recency", b.Recency),
		share("relevance", b.Relevance),
		share("frequency", b.Frequency),
		share("cost", b.Cost),
		positive("max_age", b.MaxAge),
	)
}

// Score implements Ranker.
func (b Balanced) Score(c Candidate) Score {
	return sum(
		Factor{"recency", math.Exp(-days(c.Age) / days(b.MaxAge)), b.Recency},
		Factor{"relevance", c.Relevance, b.Relevance},
		Factor{"frequency", frequency(c.Uses), b.Frequency},
		Factor{"cost", cheapness(c.Tokens), b.Cost},
	)
}
