package recall

import (
	"math"

	"recollect/internal/index"
)

// A feature is one thing that speaks for or against a memory bearing on a
// prompt. All lie in [0, 1], but for order, and for those said to be signed.
type feature int

const (
	featCoverage      feature = iota // share of the prompt's rarity that the memory has; a synonym counts less than the word itself
	featStrength                     // BM25 against the best that the prompt could reach
	featOrder                        // BM25 with the bonuses for title and pairs, against the best candidate's, in [0, 3.5]; see compareWith
	featCosine                       // of prompt and memory, 0 where it is negative or unknown, × 1/turns of its session
	featCloseness                    // how far the cosine stands out from the mean of those found by meaning, × the same, signed
	featAdjacent                     // share of the prompt's neighbouring words that the memory has as neighbours too
	featTitle                        // share of the prompt's rarity that stands in the memory's title
	featRarest                       // share of the prompt's three rarest words that the memory has
	featIdentifier                   // share of the prompt's rarity that lies in identifiers, acronyms and numbers that the memory has
	featNeighbour                    // strength of the turns before and after, in the same session
	featSession                      // coverage by the session's other turns of what the memory lacks
	featWholeSession                 // coverage by all of the session
	featSpeaker                      // the prompt names who said it
	featDated                        // it happened when the prompt says
	featLongCoverage                 // coverage × length of the prompt
	featLongStrength                 // strength × length of the prompt
	featLongOrder                    // order × length of the prompt
	featLongCosine                   // cosine × length of the prompt
	featLongCloseness                // closeness × the same, signed
	featLength                       // of the prompt
	features
)

// featureNames are what explanations and coefficients call the features.
var featureNames = [features]string{
	"coverage", "strength", "order", "cosine", "closeness", "adjacent", "title", "rarest", "identifier",
	"neighbour", "session", "whole_session", "speaker", "dated",
	"long_coverage", "long_strength", "long_order", "long_cosine", "long_closeness", "length",
}

// fullLength is the number of different terms of a prompt beyond which more
// of them change nothing.
const fullLength = 128

// A judge says how well hits answer one query.
type judge struct {
	q             *query
	owner         []int // clause that each term of the search stands for
	synonymWeight float64
	total         float64 // worth of all clauses
	best          float64 // the highest BM25 score there can be
	titles        float64 // the highest score of a title
	pairs         float64 // the highest score of pairs
	first         float64 // what featOrder is measured by
	rarest        []int   // clauses that are worth most
}

// rarestClauses is how many of the rarest words count on their own.
const rarestClauses = 3

func newJudge(q *query, pairs []index.Pair, owner []int, synonymWeight float64) judge {
	j := judge{q: q, owner: owner, synonymWeight: synonymWeight}
	for i := range q.clauses {
		c := &q.clauses[i]
		j.total += c.worth()
		j.best += c.worth() * index.MaxTermScore
		j.titles += c.worth()
	}
	rarity := make(map[string]float64, len(q.clauses))
	for i := range q.clauses {
		rarity[q.clauses[i].term] = q.clauses[i].idf
	}
	for _, p := range pairs {
		j.pairs += p.Weight * max(rarity[p.First], rarity[p.Second])
	}
	j.rarest = rarestOf(q.clauses)
	return j
}

// words sets the features that a hit's words give.
func (j *judge) words(c *candidate, h index.Hit) {
	c.met = j.met(h)
	c.bm25 = h.Score
	f := &c.features
	for i, value := range c.met {
		if value == 0 {
			continue
		}
		cl := &j.q.clauses[i]
		c.matched = append(c.matched, cl.term)
		if cl.whole {
			f[featIdentifier] += ratio(value*cl.worth(), j.total)
		}
	}
	f[featCoverage] = ratio(j.covered(c.met), j.total)
	f[featStrength] = ratio(h.Score, j.best)
	f[featOrder] = j.order(h)
	f[featAdjacent] = ratio(h.Pairs, j.pairs)
	f[featTitle] = ratio(h.Title, j.titles)
	for _, i := range j.rarest {
		f[featRarest] += c.met[i] / float64(len(j.rarest))
	}
}

// The best candidate's order is what the others' is measured by, within these
// shares of the best possible score: a best below is the best of little, and
// one above, the same question asked before, must not make little of the rest.
const (
	leastOrder = 0.3
	mostOrder  = 0.5
)

// compareWith sets what featOrder is measured by from the best order.
func (j *judge) compareWith(best float64) {
	j.first = max(leastOrder*j.best, min(mostOrder*j.best, best))
}

func (j *judge) order(h index.Hit) float64 {
	if j.first <= 0 {
		return 0
	}
	return h.Order() / j.first
}

// met returns how far a hit meets each clause, in [0, 1].
func (j *judge) met(h index.Hit) []float64 {
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
	return met
}

// covered is the worth of the clauses that are met so far.
func (j *judge) covered(met []float64) float64 {
	sum := 0.0
	for i, value := range met {
		sum += value * j.q.clauses[i].worth()
	}
	return sum
}

// finish sets the features that follow from others and from the prompt.
func (j *judge) finish(c *candidate) {
	f := &c.features
	length := min(1, math.Log(float64(1+j.q.length))/math.Log(1+fullLength))
	f[featLength] = length
	f[featLongCoverage] = f[featCoverage] * length
	f[featLongStrength] = f[featStrength] * length
	f[featLongOrder] = f[featOrder] * length
	c.meant()
}

// meant sets the features that the vectors give.
func (c *candidate) meant() {
	f, own := &c.features, 1-c.others
	f[featCosine], f[featCloseness] = own*max(0, c.cosine), own*c.closeness
	f[featLongCosine] = f[featCosine] * f[featLength]
	f[featLongCloseness] = f[featCloseness] * f[featLength]
}

// around sets the features that who said it and when give. speaker is who is
// asked, or "".
func (j *judge) around(c *candidate, speaker string) {
	if j.q.names(c.memory.Agent) || speaker != "" && speaker == c.memory.Agent {
		c.features[featSpeaker] = 1
	}
	for _, w := range j.q.times {
		if !c.memory.OccurredAt.Before(w.from) && c.memory.OccurredAt.Before(w.to) {
			c.features[featDated] = 1
		}
	}
}

// ratio is part / whole in [0, 1].
func ratio(part, whole float64) float64 {
	if whole <= 0 {
		return 0
	}
	return max(0, min(1, part/whole))
}
