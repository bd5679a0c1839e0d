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

// sessionOrSelf returns the session that a memory belongs to, or itself where it has none.
func (c *candidate) sessionOrSelf() string { return cmp.Or(c.made.Session, c.id) }

// ofLeading reports whether c is of the session that leads, and not far less relevant than the best
// of it.
func (t *scored) ofLeading(c *candidate) bool {
	return t.leading != nil && c.sessionOrSelf() == t.leading.sessionOrSelf() && c.relevance >= leadingShare*t.leading.relevance
}

// findLeading returns the best candidate if its session leads, nil if it does not. A later session that changed a rule
// does not compete with the one that settled it: where the two are the first, they lead if they do
// so together.
func (r *Recall) findLeading(t *candidates, found []*candidate) (*candidate, error) {
	if len(found) == 0 || !t.maySessionLead() {
		return nil, nil
	}
	best := slices.MaxFunc(found, func(a, b *candidate) int { return cmp.Compare(a.relevance, b.relevance) })
	if t.isAhead(found, best, "") {
		return best, nil
	}
	rival := rivalOf(best, found)
	if rival == nil || !t.isAhead(found, best, rival.sessionOrSelf()) {
		return nil, nil
	}
	if same, err := r.sessions().OnSameSubject(best.made.Session, rival.made.Session); err != nil || !same {
		return nil, err
	}
	return best, nil
}

// maySessionLead reports whether a query says enough for a session to lead: it has words of its own, and
// both retrievers answered.
func (t *candidates) maySessionLead() bool {
	return t.share >= 1 && t.req.Retriever == "" && t.meaning.from != nil
}

// rivalOf returns the best candidate of another session, nil if there is none or best has none.
func rivalOf(best *candidate, found []*candidate) *candidate {
	var rival *candidate
	for _, c := range found {
		if c.sessionOrSelf() != best.sessionOrSelf() && (rival == nil || c.relevance > rival.relevance) {
			rival = c
		}
	}
	if rival == nil || rival.made.Session == "" || best.made.Session == "" {
		return nil
	}
	return rival
}

// isAhead reports whether the session of the best candidate, and the one with it, have enough words of
// the prompt more than any other session.
func (t *candidates) isAhead(found []*candidate, best *candidate, with string) bool {
	return best.made.Session != "" && best.relevance >= leadingRelevance && t.leadOf(found, best.made.Session, with) >= leadingWords
}

// leadOf returns how many words of the prompt, each counted by its worth, the candidates of a
// session, and of the one with it, have together more than those of any other.
func (t *candidates) leadOf(found []*candidate, session, with string) float64 {
	met := map[string][]float64{}
	for _, c := range found {
		of := c.sessionOrSelf()
		if of == with {
			of = session
		}
		all := met[of]
		if all == nil {
			all = make([]float64, len(c.Met))
			met[of] = all
		}
		for i, value := range c.Met {
			all[i] = max(all[i], value)
		}
	}
	own, next := t.scorer.WordsMet(met[session]), 0.0
	delete(met, session)
	for _, all := range met {
		next = max(next, t.scorer.WordsMet(all))
	}
	return own - next
}
