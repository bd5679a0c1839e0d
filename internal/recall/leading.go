package recall

import (
	"cmp"
	"math"
	"slices"
)

// Relevance alone misses much: a bug report has many words that no memory has, and of a few
// memories even the right one shares little with a prompt in other words. What counts is also
// how far a session stands out from all others. That is a second logistic regression, over what
// the most relevant session has, and what it has more than the next one.
//
// The coefficients were fitted on 293 prompts with an answer and 352 without one, over stores of
// 20 to 1,000 memories, among them prompts whose answer was removed from the store. With one set
// left out at a time, the first session is right and accepted for 108 prompts (85 by relevance
// alone), wrong for 25 (15), and accepted for 16 without an answer (12). Relevance was fitted anew
// since then, and the confidence that is enough chosen for it: the one from which of 30 unrelated
// prompts one is accepted.
const (
	outstandingBias     = -3.737
	outstandingLogit    = 0.324  // of the logit of its relevance
	outstandingRatio    = 0.617  // of the logarithm of its relevance by that of the next session
	outstandingDistance = 0.640  // of the standard deviations between its cosine and the mean
	outstandingLength   = 0.833  // of the logarithm of the number of terms
	outstandingKnown    = -0.675 // of the share of the prompt's worth in words that some memory has

	// outstandingConfidence is the probability that is enough.
	outstandingConfidence = 0.53
	// outstandingShare is the share of the best memory's relevance that others of the session need.
	outstandingShare = 0.3
	// leastRelevance is where relevances end that can be told apart.
	leastRelevance = 0.0025
)

// A report of a problem meets a session in many turns, each of which has little of it: none is
// relevant, but together they have more of the report than any other session has. So a session
// stands out, too, if it leads by enough words.
//
// Of 30 reports whose rule was settled in one session among 60 to 150, the regression accepts 23
// and wrong sessions for 10 of 960 other prompts, among them the same reports with their session
// removed. The lead accepts 5 more and nothing wrong; 2 words would accept 4 wrong ones.
const (
	leadingWords = 2.5
	// leadingRelevance is what the best turn needs: a session of hundreds of turns has some words
	// of every prompt.
	leadingRelevance = 0.015
	// mostBehind is how many words more than the session that stands out another may have.
	mostBehind = 1
)

// occasion is what a memory belongs to: its session, or itself where it has none.
func (c *candidate) occasion() string { return cmp.Or(c.made.Session, c.id) }

// ofOutstanding reports whether c is of the session that stands out, and not far less relevant
// than the best of it.
func (t *retrieval) ofOutstanding(c *candidate) bool {
	return t.outstanding != nil && c.occasion() == t.outstanding.occasion() && c.relevance >= outstandingShare*t.outstanding.relevance
}

// findOutstanding notes the best candidate if its session stands out among all others. A later
// session that changed a rule does not compete with the one that settled it: where the two are the
// first, they stand out if they do so together.
func (r *Recall) findOutstanding(t *retrieval) error {
	if t.share < 1 || t.req.Retriever != "" || t.meaning.from == nil || len(t.found) == 0 {
		return nil
	}
	best := slices.MaxFunc(t.found, func(a, b *candidate) int { return cmp.Compare(a.relevance, b.relevance) })
	if t.standsOut(best, "") || t.leads(best, "") {
		t.outstanding = best
		return nil
	}
	rival := t.rival(best)
	if rival == nil || !t.standsOut(best, rival.occasion()) && !t.leads(best, rival.occasion()) {
		return nil
	}
	same, err := r.onSameMatter(best.made.Session, rival.made.Session)
	if same {
		t.outstanding = best
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

// standsOut reports whether the session of the best candidate stands out by what the best of it
// has, among all others but one.
func (t *retrieval) standsOut(best *candidate, but string) bool {
	next := leastRelevance
	for _, c := range t.found {
		if c.occasion() != best.occasion() && (but == "" || c.occasion() != but) {
			next = max(next, c.relevance)
		}
	}
	if best.made.Session != "" && t.lead(best.occasion(), but) < -mostBehind {
		return false
	}
	relevance := min(max(best.relevance, leastRelevance), 1-leastRelevance)
	return probability(outstandingBias+
		outstandingLogit*math.Log(relevance/(1-relevance))+
		outstandingRatio*math.Log(relevance/next)+
		outstandingDistance*t.deviations(t.nearest(best.occasion()))+
		outstandingLength*math.Log(1+float64(len(t.scorer.q.clauses)))+
		outstandingKnown*t.scorer.known()) >= outstandingConfidence
}

// leads reports whether the session of the best candidate stands out by what all of it has,
// and the one with it.
func (t *retrieval) leads(best *candidate, with string) bool {
	return best.made.Session != "" && best.relevance >= leadingRelevance && t.lead(best.occasion(), with) >= leadingWords
}

// nearest returns the best cosine of the candidates of an occasion.
func (t *retrieval) nearest(occasion string) float64 {
	cosine := 0.0
	for _, c := range t.found {
		if c.occasion() == occasion {
			cosine = max(cosine, c.cosine)
		}
	}
	return cosine
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
		if c := &s.q.clauses[i]; !c.evidence {
			own, sum = own+1, sum+value*c.worth()
		}
	}
	return own * ratio(sum, s.total)
}

// deviations returns how many standard deviations a cosine is above the mean of those of the
// candidates.
func (t *retrieval) deviations(cosine float64) float64 {
	n, sum, squares := 0.0, 0.0, 0.0
	for _, c := range t.byID {
		if c.embedded {
			n, sum, squares = n+1, sum+c.cosine, squares+c.cosine*c.cosine
		}
	}
	if n == 0 {
		return 0
	}
	mean := sum / n
	deviation := math.Sqrt(max(0, squares/n-mean*mean))
	if deviation == 0 {
		return 0
	}
	return (cosine - mean) / deviation
}

// known returns the share, in [0, 1], of the worth of the query's clauses that some memory has
// the words of.
func (s *scorer) known() float64 {
	sum := 0.0
	for i := range s.q.clauses {
		if c := &s.q.clauses[i]; c.found > 0 {
			sum += c.worth()
		}
	}
	return ratio(sum, s.total)
}
