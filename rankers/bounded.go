package rankers

import (
	"errors"
	"math"
	"time"
)

// Bounded ranks by relevance. The priors, which are all that is known of a
// candidate besides, lower its score by at most Share:
//
//	score = relevance × Π (1 − Share × wᵢ/Σw × (1 − priorᵢ))
//
// Each prior lies in [0, 1], and wᵢ is its weight. A candidate therefore never
// ranks above one that is more than 1/(1 − Share) times as relevant. With a
// Share of 0, or weights that are all 0, the score is the relevance itself.
//
// The priors are: weight, w/(1 + w) of the source's weight w; recency,
// exp2(−age/half-life) with the half-life of the source; frequency, uses/(5 +
// uses); importance, 0, ½ or 1; project, 1 for a memory of the prompt's
// project or of none, and 0 for others.
//
// When the prompt asks for the latest, the candidates that are at least half
// as relevant as the best one are ranked mainly by time:
//
//	score = best/2 × (1 + (score/best)^(1 − Latest) × (1 + age in days)^(−Latest))
//
// With a Latest well above one half, and beyond the first days, halving the
// age changes the score of these candidates more than any difference in
// relevance. The other candidates retain their scores, which are lower.
type Bounded struct {
	Share  float64 // largest share of a score that the priors can remove, in [0, 1]
	Latest float64 // influence of age when the prompt asks for the latest, in [0, 1]

	Weight, Recency, Frequency, Importance, Project float64 // weight of each prior relative to the others, in [0, 1]
}

// Validate reports a setting out of range.
func (b Bounded) Validate() error {
	return errors.Join(
		share("prior_share", b.Share),
		share("latest_share", b.Latest),
		share("weight", b.Weight),
		share("recency", b.Recency),
		share("frequency", b.Frequency),
		share("importance", b.Importance),
		share("project", b.Project),
	)
}

// Score implements Ranker.
func (b Bounded) Score(c Candidate) Score {
	s := product(
		Factor{"relevance", c.Relevance, 1},
		b.factor("weight", c.Weight/(1+c.Weight), b.Weight),
		b.factor("recency", halfLifeDecay(c.Age, c.HalfLife), b.Recency),
		b.factor("frequency", frequency(c.Uses), b.Frequency),
		b.factor("importance", importance(c.Importance), b.Importance),
		b.factor("project", indicator(c.SameProject), b.Project),
	)
	if c.Latest {
		return product(append(s.Factors, Factor{"latest", b.lift(c, s.Value), 1})...)
	}
	return s
}

// lift returns the factor by which age changes a score when the prompt asks for
// the latest.
func (b Bounded) lift(c Candidate, score float64) float64 {
	best := max(c.Best, c.Relevance)
	if b.Latest == 0 || score == 0 || c.Relevance < best/2 {
		return 1
	}
	mix := math.Pow(score/best, 1-b.Latest) * math.Pow(1+days(c.Age), -b.Latest)
	return best / 2 * (1 + mix) / score
}

func (b Bounded) factor(name string, prior, weight float64) Factor {
	all := b.Weight + b.Recency + b.Frequency + b.Importance + b.Project
	if all == 0 {
		return Factor{name, 1, 1}
	}
	return Factor{name, 1 - b.Share*weight/all*(1-prior), 1}
}

// halfLifeDecay falls from 1 to a half after halfLife and to a quarter after
// twice that. Without a half-life it is always 1.
func halfLifeDecay(age, halfLife time.Duration) float64 {
	if halfLife <= 0 {
		return 1
	}
	return math.Exp2(-days(age) / days(halfLife))
}

func indicator(b bool) float64 {
	if b {
		return 1
	}
	return 0
}
