package relevance

import (
	"cmp"
	"iter"
	"math"
	"slices"
	"time"

	"recollect/internal/index"
	"recollect/internal/recall/terms"
)

// fullLength is the number of different terms of a prompt beyond which more
// of them change nothing.
const fullLength = 128

// fewestFitted is how many memories the smallest stores have that relevance is fitted on. Fewer count
// as many: what the fit says of larger stores would make anything relevant in them.
const fewestFitted = 20

// A Scorer sets the features that measure how well hits match one query.
type Scorer struct {
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

// NewScorer makes the scorer for a query. chances is how many memories could be like it by chance.
// Of so many, chances × Π p have all its words if each stands in a share p of all texts, which is
// e^−idf: an expectation as in the search of sequences (Karlin and Altschul, 1990).
func NewScorer(q *terms.Query, chances float64, pairs []index.Pair, owners []terms.Owner) Scorer {
	s := Scorer{q: q, owners: owners, size: math.Log10(1+max(chances, fewestFitted)) / 6}
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

// SetWords sets the features that a hit's words give.
func (s *Scorer) SetWords(e *Evidence, h index.Hit) {
	s.setMet(e.Met, h)
	e.BM25 = h.Score
	f := &e.Features
	for i, value := range e.Met {
		if value == 0 {
			continue
		}
		cl := &s.q.Clauses[i]
		if cl.Whole {
			f[Identifier] = min(1, f[Identifier]+Ratio(value*cl.Worth(), s.total))
		}
	}
	f[Coverage] = Ratio(s.worthMet(e.Met), s.total)
	f[Strength] = Ratio(h.Score, s.best)
	f[Order] = s.orderOf(h)
	f[Adjacent] = Ratio(h.Pairs, s.pairs)
	f[Title] = Ratio(h.Title, s.titles)
	for _, i := range s.rarest {
		f[Rarest] += e.Met[i] / float64(len(s.rarest))
	}
}

// The order of the best candidate is the reference for that of the others, but within these shares
// of the highest possible score: a best candidate may be a poor match, and one that repeats the
// question must not make the rest seem poor.
const (
	leastOrder = 0.3
	mostOrder  = 0.5
)

// CompareWith sets the reference of featOrder from the best order.
func (s *Scorer) CompareWith(best float64) {
	s.first = max(leastOrder*s.best, min(mostOrder*s.best, best))
}

func (s *Scorer) orderOf(h index.Hit) float64 {
	if s.first <= 0 {
		return 0
	}
	return h.Order() / s.first
}

// setMet sets how far a hit meets each clause, in [0, 1].
func (s *Scorer) setMet(met []float64, h index.Hit) {
	for t, o := range s.owners {
		if h.Matched&(1<<t) == 0 {
			continue
		}
		for _, i := range o.Clauses {
			met[i] = max(met[i], o.Value)
		}
	}
}

// MatchedTerms returns the terms of the clauses that a candidate meets.
func (s *Scorer) MatchedTerms(e *Evidence) []string {
	var terms []string
	for i, value := range e.Met {
		if value > 0 {
			terms = append(terms, s.q.Clauses[i].Term)
		}
	}
	return terms
}

// worthMet is the worth of the clauses that are met so far.
func (s *Scorer) worthMet(met []float64) float64 {
	sum := 0.0
	for i, value := range met {
		sum += value * s.q.Clauses[i].Worth()
	}
	return sum
}

// SetRest sets the features that follow from others and from the prompt.
func (s *Scorer) SetRest(e *Evidence) {
	f := &e.Features
	length := min(1, math.Log(float64(1+s.q.Length))/math.Log(1+fullLength))
	f[Length] = length
	f[LongCoverage] = f[Coverage] * length
	f[LongStrength] = f[Strength] * length
	f[LongOrder] = f[Order] * length
	f[Size] = s.size
	f[Everyday] = s.q.Everyday
	e.setMeaning()
}

// SetBehind sets how far candidates are behind the nearest one by meaning. Where none has any of
// the prompt's rarest words, the words that they do have say little, and meaning decides.
func SetBehind(found iter.Seq[*Evidence]) {
	met, nearest := 0.0, 0.0
	for e := range found {
		met, nearest = max(met, e.Features[Rarest]), max(nearest, e.Features[Distance])
	}
	for e := range found {
		e.Features[Behind] = (e.Features[Distance] - nearest) * (1 - met) * (1 - met)
	}
}

// SetWhoAndWhen sets the features for the agent and the time of a memory. asked is the type of the
// sub-agent that is asked, or "".
func (s *Scorer) SetWhoAndWhen(e *Evidence, agent string, at time.Time, asked string) {
	if s.q.Names(agent) || asked != "" && asked == agent {
		e.Features[Speaker] = 1
	}
	for _, w := range s.q.Times {
		if !at.Before(w.From) && at.Before(w.To) {
			e.Features[Dated] = 1
		}
	}
}

// MeetsAll reports whether a candidate has every word of the query, or another name of it.
func (s *Scorer) MeetsAll(e *Evidence) bool {
	asked := false
	for i := range s.q.Clauses {
		if s.q.Clauses[i].Evidence {
			continue
		}
		if asked = true; i >= len(e.Met) || e.Met[i] == 0 {
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

// WordsMet returns how many of the prompt's own words are met, each counted by its worth against
// the mean.
func (s *Scorer) WordsMet(met []float64) float64 {
	own, sum := 0.0, 0.0
	for i, value := range met {
		if c := &s.q.Clauses[i]; !c.Evidence {
			own, sum = own+1, sum+value*c.Worth()
		}
	}
	return own * Ratio(sum, s.total)
}

// ShareMet returns the share, in [0, 1], of the worth of the query that clauses make which are met so far.
func (s *Scorer) ShareMet(met []float64) float64 { return Ratio(s.worthMet(met), s.total) }

// ClausesIn returns which of the query's clauses a text has of which has tells the terms.
func (s *Scorer) ClausesIn(has func(term string) bool) []bool {
	had := make([]bool, len(s.q.Clauses))
	for i := range s.q.Clauses {
		had[i] = has(s.q.Clauses[i].Term)
	}
	return had
}

// WorthOf returns the share, in [0, 1], of the worth of the query that clauses make.
func (s *Scorer) WorthOf(had []bool) float64 {
	sum := 0.0
	for i, has := range had {
		if has {
			sum += s.q.Clauses[i].Worth()
		}
	}
	return Ratio(sum, s.total)
}

// ByChance returns how many memories may be expected to have all words of the prompt by chance.
func (s *Scorer) ByChance() float64 { return s.chance }
