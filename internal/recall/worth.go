package recall

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/relevance"
)

// Relevance says whether a memory is about what a prompt says. Whether anything of it is worth saying
// is another question: most prompts go on with what their session has in its context already. Worth is the
// probability that a prompt needs something of earlier sessions that is found. Four numbers tell the first half of it, by a
// logistic regression that was fitted on 372 prompts of six people at work, of which readers said whether they needed
// something. The fifth, how well the best statements answer, was added by what other readers said of each of 3,451
// statements.
var worthModel = struct{ bias, shared, first, length, relevance, statements float64 }{-5.69, 0.91, 0.80, 0.29, 0.165, 0.4}

const (
	// bestShared is how many of the best candidates are looked at for what they share with the prompt.
	bestShared = 5
	// leastRelevance limits the odds of the most relevant candidate.
	leastRelevance, mostRelevance = 1e-4, 0.999
	// mostSaying is what the best statements of hardly any prompt exceed together. Until they are known they count as this.
	mostSaying = 8
)

// worthOf returns how likely a prompt is to need something of earlier sessions, and what tells that. The candidates
// come in order of relevance.
func (r *Recall) worthOf(t *candidates, found []*candidate) *api.Worth {
	var best []*candidate
	for _, c := range found {
		ofThis := t.req.Session.ID != "" && c.made.Session == t.req.Session.ID
		isRight := r.Store.SupersededBy(c.id) == "" && !r.isWrong(c.id)
		if len(best) < bestShared && !ofThis && isRight {
			best = append(best, c)
		}
	}
	w := &api.Worth{Required: t.req.Settings.Recall.MinWorth}
	if len(best) == 0 {
		return w
	}
	most := 0.0
	for _, c := range best {
		if worth, words := t.newShared(c); worth > most {
			most, w.Shared = worth, words
		}
	}
	first := 0.0
	if !t.req.Session.Begun {
		first = 1
	}
	m := &worthModel
	w.Parts = []api.Factor{
		{Name: "shared and not said in this session", Value: math.Log1p(most), Weight: m.shared},
		{Name: "first prompt of the session", Value: first, Weight: m.first},
		{Name: "words of the prompt", Value: math.Log1p(float64(len(strings.Fields(t.req.Prompt)))), Weight: m.length},
		{Name: "relevance of the best memory", Value: logOdds(best[0].relevance), Weight: m.relevance},
		{Name: "bias", Value: 1, Weight: m.bias},
	}
	if h := t.req.Learned(); h != nil && h.Worth != 0 {
		w.Learned = h
		w.Parts = append(w.Parts, api.Factor{Name: "what you made use of before", Value: h.Worth, Weight: 1})
	}
	setSaying(w, mostSaying)
	return w
}

// saying names the number that the best statements add to the worth of a prompt.
const saying = "scores of the best statements"

// setSaying sets what the best statements say together, and with it the probability.
func setSaying(w *api.Worth, value float64) {
	isSaying := func(p api.Factor) bool { return p.Name == saying }
	w.Parts = append(slices.DeleteFunc(w.Parts, isSaying), api.Factor{Name: saying, Value: value, Weight: worthModel.statements})
	z := 0.0
	for _, p := range w.Parts {
		z += p.Value * p.Weight
	}
	w.Value = relevance.Probability(z)
}

// weighStatements adds what the best of some statements, in their order, say together to the worth of the prompt.
func (t *scored) weighStatements(best []said) {
	if len(t.worth.Parts) == 0 || len(t.relevant) == 0 {
		return // there is nothing, or it is not known
	}
	sum := 1.0
	for i := range best {
		sum += math.Exp(best[i].score)
	}
	setSaying(t.worth, min(mostSaying, math.Log(sum)))
}

// isSilent reports whether nothing is injected for the words of a prompt, whatever the candidates say, so that nothing of
// them need be known.
func (t *scored) isSilent() bool {
	wantsAll := t.req.All || t.all
	return !wantsAll && !t.noted && t.needsNothing()
}

// needsNothing reports whether a prompt is too unlikely to need anything that sessions taught.
func (t *scored) needsNothing() bool {
	return !t.isWanted() && t.worth.Value < t.req.Settings.Recall.MinWorth
}

// notedRelevance is the relevance from which on what somebody stored on purpose is injected, whatever the prompt is worth.
const notedRelevance = 0.3

// isNoted reports whether a candidate was stored on purpose, and is relevant: no session and no file taught it.
func (c *candidate) isNoted() bool {
	src, _ := memory.SourceOf(c.id)
	byHand := c.made.Session == "" && src != memory.Registry && src != memory.Team
	return byHand && c.relevance >= notedRelevance
}

// newShared returns how rare the words are that a candidate shares with the prompt and that nobody said
// in this session, and these words, the rarest first.
func (t *candidates) newShared(c *candidate) (worth float64, words []string) {
	var at []int
	for i, value := range c.Met {
		if clause := &t.Clauses[i]; value > 0 && t.isNew(clause.Term, clause.Common) {
			worth += value * clause.IDF
			at = append(at, i)
		}
	}
	slices.SortStableFunc(at, func(a, b int) int { return cmp.Compare(t.Clauses[b].IDF, t.Clauses[a].IDF) })
	for _, i := range at {
		words = append(words, t.Clauses[i].Surface)
	}
	return worth, words
}

// isNew reports whether a term is of a word that tells what a prompt is about and that nobody said in
// this session.
func (t *candidates) isNew(term string, common bool) bool {
	heard := t.req.Session.Heard
	return !common && (heard == nil || heard.Has(term) == 0)
}

// logOdds returns the logarithm of p/(1−p), within bounds.
func logOdds(p float64) float64 { return math.Log(odds(max(leastRelevance, min(mostRelevance, p)))) }
