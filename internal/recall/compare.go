package recall

import (
	"slices"

	"recollect/internal/index/vectors"
	"recollect/internal/recall/relevance"
)

// mostCompared is how many candidates of a prompt are compared by their parts, the best.
const mostCompared = 12

// What is below the floor even with so many times the odds is not compared, because that takes time.
// Few memories gain more by their parts: with 20 instead, the same reaches Claude on the sets of
// docs/benchmarks.md.
const oddsOfParts = 6

// compareParts sets how far parts of candidates are like the prompt, and with it the relevance,
// where that can matter. The features are fitted for memories that the vectors know.
func (r *Recall) compareParts(t *candidates, scored []*candidate) error {
	floor := t.floor()
	least := floor / (floor + oddsOfParts*(1-floor))
	best := slices.DeleteFunc(slices.Clone(scored), func(c *candidate) bool { return !c.Embedded || c.relevance < least })
	if len(best) > mostCompared && !t.all {
		sortByRelevance(best)
		best = best[:mostCompared]
	}
	if len(best) == 0 {
		return nil
	}
	with, err := r.newComparison(t)
	if err != nil {
		return err
	}
	for _, c := range best {
		if p := r.partsOf(with, c); p != nil {
			with.SetParts(&c.Evidence, p)
			c.relevance = t.relevanceOf(c)
		}
	}
	return nil
}

func (r *Recall) newComparison(t *candidates) (*relevance.Comparison, error) {
	m := &t.meaning
	if m.from == nil {
		return relevance.NewComparison(&t.scorer.Scorer, nil, "", &m.spread, &r.parts)
	}
	return relevance.NewComparison(&t.scorer.Scorer, m.query, m.from.Embedder.Version(), &m.spread, &r.parts)
}

// partsOf returns the parts of a candidate, or nil if its memory cannot be read.
func (r *Recall) partsOf(with *relevance.Comparison, c *candidate) *relevance.Parts {
	return with.PartsOf(c.id, c.made.Line, func() (string, bool) {
		if !r.readMemory(c) {
			return "", false
		}
		return vectors.Passage(c.memory), true
	})
}
