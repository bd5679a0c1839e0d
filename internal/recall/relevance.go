package recall

import (
	"math"

	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/rankers"
)

// A candidate is a memory on its way through the steps of recall.
type candidate struct {
	memory     memory.Memory
	bm25       float64
	matched    []string
	relevance  float64
	required   float64
	superseded string // id of the memory that replaces it
	score      rankers.Score
	tokens     int
	outcome    string // why it is not told, how it is told; empty while undecided
}

// maxTerms is how many terms a search can tell apart: bits of index.Hit.
const maxTerms = 64

// searchTerms lists what the index looks for, and for each the number of the
// clause it stands for. The clauses' own terms come first: they must not be
// cut off by synonyms.
func searchTerms(q *query, synonymWeight float64) (terms []index.Term, owner []int) {
	for i, c := range q.clauses {
		terms = append(terms, index.Term{Text: c.term, Weight: c.weight})
		owner = append(owner, i)
	}
	for i, c := range q.clauses {
		for _, s := range c.synonyms {
			if len(terms) == maxTerms {
				return terms, owner
			}
			terms = append(terms, index.Term{Text: s.term, Weight: c.weight * synonymWeight})
			owner = append(owner, i)
		}
	}
	return terms, owner
}

// A judge turns hits into relevance.
type judge struct {
	q             *query
	owner         []int
	synonymWeight float64
	share         float64
	total         float64 // worth of all clauses
	best          float64 // the highest BM25 score there can be
}

func newJudge(q *query, owner []int, synonymWeight, share float64) judge {
	j := judge{q: q, owner: owner, synonymWeight: synonymWeight, share: share}
	for i := range q.clauses {
		j.total += q.clauses[i].worth()
		j.best += q.clauses[i].weight * q.clauses[i].plainIDF * index.MaxTermScore
	}
	return j
}

// loneWeight is what coverage by a single word counts where the prompt has
// more: one word in common is often chance. An identifier is not.
const loneWeight = 0.6

// enoughEvidence is the worth that a memory must cover to be taken at its
// word: one rare term, or two that a tenth of all memories have. A prompt of
// one common word ("commit it") would be covered by any memory that has it.
const enoughEvidence = 5.0

// Relevance is coverage, the share of the prompt's rarity that the memory has.
// Half of it depends on strength, which tells apart memories that cover the
// same words.
const (
	coverageShare = 0.5
	strengthShare = 1 - coverageShare
)

// relevance sets how well a hit answers the prompt, in [0, 1]: the worth of
// the clauses it meets over that of all, a synonym counting less than the
// word itself.
func (j *judge) relevance(c *candidate, h index.Hit) {
	met := make([]float64, len(j.q.clauses))
	for t, i := range j.owner {
		if h.Matched&(1<<t) == 0 {
			continue
		}
		value := 1.0
		if t >= len(j.q.clauses) {
			value = j.synonymWeight
		}
		met[i] = max(met[i], value)
	}
	var covered float64
	words, identifier := 0, false
	for i, value := range met {
		cl := &j.q.clauses[i]
		if value == 0 {
			continue
		}
		covered += value * cl.worth()
		c.matched = append(c.matched, cl.term)
		identifier = identifier || cl.whole
		if cl.weight > commonWeight {
			words++
		}
	}
	c.bm25 = h.Score
	if j.total == 0 {
		return
	}
	coverage := covered / j.total
	c.relevance = coverage * (coverageShare + strengthShare*j.strength(h))
	if words < 2 && len(j.q.clauses) > 1 && !identifier {
		c.relevance *= loneWeight
	}
	c.relevance *= min(1, covered/enoughEvidence)
	c.relevance = (1 - math.Pow(1-c.relevance, reach(j.q.length))) * j.share
}

// A prompt of a few words is met whole by a memory that answers it; of a long
// one even the best memory has only a part, and chance has less still. Without
// this the titles and the whole descriptions of the same 488 issues would need
// thresholds of 0.44 and 0.21 for one false recollection in twenty.
const (
	shortPrompt = 6
	reachGrowth = 0.35
	maxReach    = 1.7
)

// reach is the exponent that lifts the relevance for a prompt of n different
// terms: about the factor by which a small relevance grows.
func reach(n int) float64 {
	if n <= shortPrompt {
		return 1
	}
	return min(maxReach, 1+reachGrowth*math.Log2(float64(n)/shortPrompt))
}

// strength is a hit's BM25 score against the best that the query could reach,
// in [0, 1].
func (j *judge) strength(h index.Hit) float64 {
	if j.best == 0 {
		return 0
	}
	return min(1, h.Score/j.best)
}
