package recall

import (
	"cmp"
	"slices"
)

// A report of a problem meets the session that settled it in many turns, each of which has little of
// the report: none is relevant, but together they have more of it than any other session has. So a
// session passes the gate, too, if it leads by enough words.
//
// Of 30 reports whose rule was settled in one session among 60 to 150, it found 5 that nothing else
// found, and nothing wrong for 960 other prompts, among them the same reports with their session
// removed; 2 words would have found 4 wrong ones.
const (
	leadingWords = 2.5
	// leadingRelevance is what the best turn needs: a session of hundreds of turns has some words
	// of every prompt.
	leadingRelevance = 0.015
	// leadingShare is the share of the best memory's relevance that others of the session need.
	leadingShare = 0.3
)

// occasion is what a memory belongs to: its session, or itself where it has none.
func (c *candidate) occasion() string { return cmp.Or(c.made.Session, c.id) }

// ofLeading reports whether c is of the session that leads, and not far less relevant than the best
// of it.
func (t *retrieval) ofLeading(c *candidate) bool {
	return t.leading != nil && c.occasion() == t.leading.occasion() && c.relevance >= leadingShare*t.leading.relevance
}

// findLeading notes the best candidate if its session leads. A later session that changed a rule
// does not compete with the one that settled it: where the two are the first, they lead if they do
// so together.
func (r *Recall) findLeading(t *retrieval) error {
	if t.share < 1 || t.req.Retriever != "" || t.meaning.from == nil || len(t.found) == 0 {
		return nil
	}
	best := slices.MaxFunc(t.found, func(a, b *candidate) int { return cmp.Compare(a.relevance, b.relevance) })
	if t.leads(best, "") {
		t.leading = best
		return nil
	}
	rival := t.rival(best)
	if rival == nil || !t.leads(best, rival.occasion()) {
		return nil
	}
	same, err := r.onSameMatter(best.made.Session, rival.made.Session)
	if same {
		t.leading = best
	}
	return err
}

// rival returns the best candidate of another session, nil if there is none or best has none.
func (t *retrieval) rival(best *candidate) *candidate {
	var rival *candidate
	for _, c := range t.found {
		if c.occasion() != best.occasion() && (rival == nil || c.relevance > rival.relevance) {
			rival = c
		}
	}
	if rival == nil || rival.made.Session == "" || best.made.Session == "" {
		return nil
	}
	return rival
}

// leads reports whether the session of the best candidate, and the one with it, have enough words of
// the prompt more than any other session.
func (t *retrieval) leads(best *candidate, with string) bool {
	return best.made.Session != "" && best.relevance >= leadingRelevance && t.lead(best.occasion(), with) >= leadingWords
}

// lead returns how many words of the prompt, each counted by its worth, the candidates of an
// occasion, and of the one with it, have together more than those of any other.
func (t *retrieval) lead(occasion, with string) float64 {
	met := map[string][]float64{}
	for _, c := range t.found {
		of := c.occasion()
		if of == with {
			of = occasion
		}
		all := met[of]
		if all == nil {
			all = make([]float64, len(c.met))
			met[of] = all
		}
		for i, value := range c.met {
			all[i] = max(all[i], value)
		}
	}
	own, next := t.scorer.wordsMet(met[occasion]), 0.0
	delete(met, occasion)
	for _, all := range met {
		next = max(next, t.scorer.wordsMet(all))
	}
	return own - next
}

// wordsMet returns how many of the prompt's own words are met, each counted by its worth against
// the mean.
func (s *scorer) wordsMet(met []float64) float64 {
	own, sum := 0.0, 0.0
	for i, value := range met {
		if c := &s.q.Clauses[i]; !c.Evidence {
			own, sum = own+1, sum+value*c.Worth()
		}
	}
	return own * ratio(sum, s.total)
}
