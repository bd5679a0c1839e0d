package recall

import (
	"math"

	"recollect/internal/index"
)

// A feature is one thing that speaks for or against a memory bearing on a
// prompt. All lie in [0, 1], but for those said to be signed.
type feature int

const (
	featCoverage           feature = iota // share of the prompt's rarity that the memory has; a synonym counts less than the word itself
	featStrength                          // BM25 against the best that the prompt could reach
	featCosine                            // of prompt and memory, 0 where it is negative or unknown
	featCloseness                         // how far the cosine stands out from that of the other candidates, signed
	featMeaningful                        // cosine where the words say nothing: cosine × (1 − coverage)
	featAdjacent                          // share of the prompt's neighbouring words that the memory has as neighbours too
	featTitle                             // share of the prompt's rarity that stands in the memory's title
	featRarest                            // share of the prompt's three rarest words that the memory has
	featEvidence                          // how much rarity is covered at all, whatever the prompt's length
	featIdentifier                        // an identifier of the prompt stands in the memory
	featLone                              // one word in common, of several
	featNeighbour                         // strength of the turns before and after, in the same session
	featSession                           // coverage by the session's other turns of what the memory lacks
	featSpeaker                           // the prompt names who said it
	featDated                             // it happened when the prompt says
	featLongPromptCoverage                // coverage × length of the prompt
	featLongPromptCosine                  // cosine × length of the prompt
	featLength                            // of the prompt
	featUnknown                           // share of the prompt's rarity in words that no memory has
	features
)

// featureNames are what explanations call the features.
var featureNames = [features]string{
	"coverage", "strength", "cosine", "closeness", "meaningful", "adjacent", "title", "rarest", "evidence",
	"identifier", "lone", "neighbour", "session", "speaker", "dated", "long_coverage", "long_cosine", "length", "unknown",
}

// surroundings are the features that need the memory itself, besides what the
// retrievers know of it.
var surroundings = []feature{featNeighbour, featSession, featSpeaker, featDated}

// fullEvidence is the worth beyond which more of it says nothing new: three
// or four rare words.
const fullEvidence = 20.0

// fullLength is the number of different terms of a prompt beyond which more
// of them change nothing.
const fullLength = 128

// A judge says how well hits answer one query.
type judge struct {
	q             *query
	owner         []int // clause that each term of the search stands for
	synonymWeight float64
	total         float64 // worth of all clauses
	strange       float64 // worth of those that no memory has
	best          float64 // the highest BM25 score there can be
	titles        float64 // the highest score of a title
	pairs         float64 // the highest score of pairs
	rarest        []int   // clauses that are worth most
}

// rarestClauses is how many of the rarest words count on their own.
const rarestClauses = 3

func newJudge(q *query, pairs []index.Pair, owner []int, synonymWeight float64) judge {
	j := judge{q: q, owner: owner, synonymWeight: synonymWeight}
	for i := range q.clauses {
		c := &q.clauses[i]
		j.total += c.worth()
		j.best += c.weight * c.plainIDF * index.MaxTermScore
		j.titles += c.weight * c.plainIDF
		if c.found == 0 {
			j.strange += c.worth()
		}
	}
	rarity := make(map[string]float64, len(q.clauses))
	for i := range q.clauses {
		rarity[q.clauses[i].term] = q.clauses[i].plainIDF
	}
	for _, p := range pairs {
		j.pairs += p.Weight * max(rarity[p.First], rarity[p.Second])
	}
	j.rarest = rarestOf(q.clauses)
	return j
}

// words sets the features that a hit's words give.
func (j *judge) words(c *candidate, h index.Hit) {
	met := j.met(h)
	covered, plain := 0.0, 0
	for i, value := range met {
		cl := &j.q.clauses[i]
		if value == 0 {
			continue
		}
		covered += value * cl.worth()
		c.matched = append(c.matched, cl.term)
		if cl.whole {
			c.features[featIdentifier] = 1
		}
		if cl.weight > commonWeight {
			plain++
		}
	}
	c.bm25 = h.Score
	c.met = met
	f := &c.features
	f[featCoverage] = ratio(covered, j.total)
	f[featStrength] = ratio(h.Score, j.best)
	f[featAdjacent] = ratio(h.Pairs, j.pairs)
	f[featTitle] = ratio(h.Title, j.titles)
	f[featEvidence] = math.Sqrt(min(1, covered/fullEvidence))
	for _, i := range j.rarest {
		f[featRarest] += met[i] / float64(len(j.rarest))
	}
	if plain < 2 && len(j.q.clauses) > 1 && f[featIdentifier] == 0 && covered > 0 {
		f[featLone] = 1
	}
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

// finish sets the features that follow from others and from the prompt.
func (j *judge) finish(c *candidate) {
	f := &c.features
	f[featLength] = min(1, math.Log(float64(1+j.q.length))/math.Log(1+fullLength))
	f[featUnknown] = ratio(j.strange, j.total)
	f[featMeaningful] = f[featCosine] * (1 - f[featCoverage])
	f[featLongPromptCoverage] = f[featCoverage] * f[featLength]
	f[featLongPromptCosine] = f[featCosine] * f[featLength]
}

// around sets the features that who said it and when give.
func (j *judge) around(c *candidate, req Request) {
	if j.q.names(c.memory.Agent) {
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
