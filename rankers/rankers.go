// Package rankers turns what is known about a candidate memory into a score.
//
// A candidate is a memory that retrieval found and the gates let pass. A
// ranker is a struct whose fields are its settings; it reads no clock, file
// or log, so the same candidates are always ranked the same way. A score
// comes with its factors: the explanation is written by the code that
// computes the score.
package rankers

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"
)

// A Candidate is a memory up for ranking.
type Candidate struct {
	ID        string
	Relevance float64       // how relevant it is to the prompt, in [0, 1]
	Weight    float64       // weight of its source, 0 or more
	Age       time.Duration // time since the event that it describes
	Uses      int           // number of earlier sessions that used it
	Tokens    int           // length if injected whole

	HalfLife    time.Duration // half-life of its source: the age at which recency is one half; 0 if it never ages
	Importance  string        // "low" or "high" as set by its author; anything else is normal
	SameProject bool          // whether it belongs to the prompt's project, or to none in particular
	Latest      bool          // whether the prompt asks for what happened last; the same for all candidates of a prompt
	Best        float64       // the highest relevance among the candidates of the prompt; set by Rank
}

// A Ranker scores one candidate; higher is better.
type Ranker interface {
	Score(Candidate) Score
}

// A Score is a candidate's score with the factors that explain it.
type Score struct {
	Value   float64  `json:"value"`
	Factors []Factor `json:"factors"`
}

// A Factor is one step of a score. In a sum Weight is the factor's share, and
// it adds Value × Weight; in a product Weight is 1.
type Factor struct {
	Name   string  `json:"name"`
	Value  float64 `json:"value"`
	Weight float64 `json:"weight"`
}

// A Ranked is a candidate with its score and its position, from 1.
type Ranked struct {
	Candidate
	Score Score
	Rank  int
}

// Rank scores the candidates and orders them, best first, ties by ID.
func Rank(r Ranker, candidates []Candidate) []Ranked {
	best := 0.0
	for _, c := range candidates {
		best = max(best, c.Relevance)
	}
	ranked := make([]Ranked, len(candidates))
	for i, c := range candidates {
		c.Best = best
		ranked[i] = Ranked{Candidate: c, Score: r.Score(c)}
	}
	slices.SortFunc(ranked, func(a, b Ranked) int {
		return cmp.Or(cmp.Compare(b.Score.Value, a.Score.Value), cmp.Compare(a.ID, b.ID))
	})
	for i := range ranked {
		ranked[i].Rank = i + 1
	}
	return ranked
}

// days returns d in days, at least 0.
func days(d time.Duration) float64 { return max(0, d.Hours()/24) }

// hyperbolic is a recency decay with a long tail: 1 at age 0, a half after
// scale, and a third after twice that.
func hyperbolic(age, scale time.Duration) float64 {
	return 1 / (1 + days(age)/days(scale))
}

// halfUses is the number of uses at which frequency is one half. An important
// memory reaches it within weeks.
const halfUses = 5

// frequency rises from 0 towards 1 with the number of uses.
func frequency(uses int) float64 {
	n := float64(max(0, uses))
	return n / (n + halfUses)
}

func importance(level string) float64 {
	switch level {
	case "low":
		return 0
	case "high":
		return 1
	}
	return 0.5
}

// halfTokens is the length at which cheapness is one half, in tokens: about
// that of a decision with its rationale.
const halfTokens = 100

// cheapness falls from 1 towards 0 with the length of a memory.
func cheapness(tokens int) float64 {
	return 1 / (1 + float64(max(0, tokens))/halfTokens)
}

func product(factors ...Factor) Score {
	s := Score{Value: 1, Factors: factors}
	for _, f := range factors {
		s.Value *= f.Value
	}
	return s
}

func sum(factors ...Factor) Score {
	s := Score{Factors: factors}
	for _, f := range factors {
		s.Value += f.Weight * f.Value
	}
	return s
}

// positive returns an error unless d is above zero.
func positive(name string, d time.Duration) error {
	if d <= 0 {
		return fmt.Errorf("%s = %v: must be positive", name, d)
	}
	return nil
}

// share returns an error unless v lies in [0, 1].
func share(name string, v float64) error {
	if math.IsNaN(v) || v < 0 || v > 1 {
		return fmt.Errorf("%s = %v: must be between 0 and 1", name, v)
	}
	return nil
}
