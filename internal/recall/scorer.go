package recall

import (
	"cmp"
	"math"
	"slices"

	"recollect/internal/index"
	"recollect/internal/recall/terms"
)

// fullLength is the number of different terms of a prompt beyond which more
// of them change nothing.
const fullLength = 128

// fewestFitted is how many memories the smallest stores have that relevance is fitted on. Fewer count
// as many: what the fit says of larger stores would make anything relevant in them.
const fewestFitted = 20

// A scorer sets the features that measure how well hits match one query.
type scorer struct {
	q      *terms.Query
	owners []terms.Owner // of each term of the search
	total  float64       // worth of all clauses
	best   float64       // the highest BM25 score there can be
	titles float64       // the highest score of a title
	pairs  float64       // the highest score of pairs
	first  float64       // reference of featOrder; see compareWith
	rarest []int         // clauses that are worth most
	chance float64       // how many memories have all words of the prompt by chance; see newScorer
	size   float64       // see featSize
}

// newScorer makes the scorer for a query. chances is how many memories could be like it by chance.
// Of so many, chances × Π p have all its words if each stands in a share p of all texts, which is
// e^−idf: an expectation as in the search of sequences (Karlin and Altschul, 1990).
func newScorer(q *terms.Query, chances float64, pairs []index.Pair, owners []terms.Owner) scorer {
	s := scorer{q: q, owners: owners, size: math.Log10(1+max(chances, fewestFitted)) / 6}
	for i := range q.Clauses {
		c := &q.Clauses[i]
		if c.Evidence {
			continue
		}
		s.total += c.Worth()
		s.best += c.Worth() * index.MaxTermScore
		s.titles += c.Worth()
	}
	s.chance = chances * math.Exp(-s.total)
	rarity := make(map[string]float64, len(q.Clauses))
	for i := range q.Clauses {
		rarity[q.Clauses[i].Term] = q.Clauses[i].IDF
	}
	for _, p := range pairs {
		s.pairs += p.Weight * max(rarity[p.First], rarity[p.Second])
	}
	s.rarest = rarestOf(q.Clauses)
	return s
}

// setWords sets the features that a hit's words give.
func (s *scorer) setWords(c *candidate, h index.Hit) {
	s.setMet(c.met, h)
	c.bm25 = h.Score
	f := &c.features
	for i, value := range c.met {
		if value == 0 {
			continue
		}
		cl := &s.q.Clauses[i]
		if cl.Whole {
			f[featIdentifier] = min(1, f[featIdentifier]+ratio(value*cl.Worth(), s.total))
		}
	}
	f[featCoverage] = ratio(s.worthMet(c.met), s.total)
	f[featStrength] = ratio(h.Score, s.best)
	f[featOrder] = s.orderOf(h)
	f[featAdjacent] = ratio(h.Pairs, s.pairs)
	f[featTitle] = ratio(h.Title, s.titles)
	for _, i := range s.rarest {
		f[featRarest] += c.met[i] / float64(len(s.rarest))
	}
}

// The order of the best candidate is the reference for that of the others, but within these shares
// of the highest possible score: a best candidate may be a poor match, and one that repeats the
// question must not make the rest seem poor.
const (
	leastOrder = 0.3
	mostOrder  = 0.5
)

// compareWith sets the reference of featOrder from the best order.
func (s *scorer) compareWith(best float64) {
	s.first = max(leastOrder*s.best, min(mostOrder*s.best, best))
}

func (s *scorer) orderOf(h index.Hit) float64 {
	if s.first <= 0 {
		return 0
	}
	return h.Order() / s.first
}

// setMet sets how far a hit meets each clause, in [0, 1].
func (s *scorer) setMet(met []float64, h index.Hit) {
	for t, o := range s.owners {
		if h.Matched&(1<<t) == 0 {
			continue
		}
		for _, i := range o.Clauses {
			met[i] = max(met[i], o.Value)
		}
	}
}

// matchedTerms returns the terms of the clauses that a candidate meets.
func (s *scorer) matchedTerms(c *candidate) []string {
	var terms []string
	for i, value := range c.met {
		if value > 0 {
			terms = append(terms, s.q.Clauses[i].Term)
		}
	}
	return terms
}

// worthMet is the worth of the clauses that are met so far.
func (s *scorer) worthMet(met []float64) float64 {
	sum := 0.0
	for i, value := range met {
		sum += value * s.q.Clauses[i].Worth()
	}
	return sum
}

// setRest sets the features that follow from others and from the prompt.
func (s *scorer) setRest(c *candidate) {
	f := &c.features
	length := min(1, math.Log(float64(1+s.q.Length))/math.Log(1+fullLength))
	f[featLength] = length
	f[featLongCoverage] = f[featCoverage] * length
	f[featLongStrength] = f[featStrength] * length
	f[featLongOrder] = f[featOrder] * length
	f[featSize] = s.size
	f[featEveryday] = s.q.Everyday
	c.setMeaning()
}

// setBehind sets how far candidates are behind the nearest one by meaning. Where none has any of
// the prompt's rarest words, the words that they do have say little, and meaning decides.
func setBehind(found []*candidate) {
	met, nearest := 0.0, 0.0
	for _, c := range found {
		met, nearest = max(met, c.features[featRarest]), max(nearest, c.features[featDistance])
	}
	for _, c := range found {
		c.features[featBehind] = (c.features[featDistance] - nearest) * (1 - met) * (1 - met)
	}
}

// setWhoAndWhen sets the features for the agent and the time of a memory. agent is the type of the
// sub-agent that is asked, or "".
func (s *scorer) setWhoAndWhen(c *candidate, agent string) {
	if s.q.Names(c.made.Agent) || agent != "" && agent == c.made.Agent {
		c.features[featSpeaker] = 1
	}
	for _, w := range s.q.Times {
		if !c.made.OccurredAt.Before(w.From) && c.made.OccurredAt.Before(w.To) {
			c.features[featDated] = 1
		}
	}
}

// meetsAll reports whether a candidate has every word of the query, or another name of it.
func (s *scorer) meetsAll(c *candidate) bool {
	asked := false
	for i := range s.q.Clauses {
		if s.q.Clauses[i].Evidence {
			continue
		}
		if asked = true; i >= len(c.met) || c.met[i] == 0 {
			return false
		}
	}
	return asked
}

// rarestClauses is how many of the rarest words count on their own.
const rarestClauses = 3

// rarestOf returns the numbers of the clauses that are worth most.
func rarestOf(clauses []terms.Clause) []int {
	at := make([]int, len(clauses))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(clauses[b].Worth(), clauses[a].Worth()) })
	return at[:min(rarestClauses, len(at))]
}
