package recall

import (
	"cmp"
	"math"
)

// Relevance alone misses much: a bug report has many words that no memory has, and of a few
// memories even the right one shares little with a prompt in other words. What counts is also
// how far a session stands out from all others. That is a second logistic regression, over what
// the most relevant session has, and what it has more than the next one.
//
// The coefficients were fitted on 293 prompts with an answer and 352 without one, over stores of
// 20 to 1,000 memories, among them prompts whose answer was removed from the store. With one set
// left out at a time, the first session is right and accepted for 108 prompts (85 by relevance
// alone), wrong for 25 (15), and accepted for 16 without an answer (12).
const (
	outstandingBias     = -3.737
	outstandingLogit    = 0.324  // of the logit of its relevance
	outstandingRatio    = 0.617  // of the logarithm of its relevance by that of the next session
	outstandingDistance = 0.640  // of the standard deviations between its cosine and the mean
	outstandingLength   = 0.833  // of the logarithm of the number of terms
	outstandingKnown    = -0.675 // of the share of the prompt's worth in words that some memory has

	// outstandingConfidence is the probability that is enough.
	outstandingConfidence = 0.54
	// outstandingShare is the share of the best memory's relevance that others of the session need.
	outstandingShare = 0.3
	// leastRelevance is where relevances end that can be told apart.
	leastRelevance = 0.0025
)

// occasion is what a memory belongs to: its session, or itself where it has none.
func (c *candidate) occasion() string { return cmp.Or(c.memory.Session, c.id) }

// ofOutstanding reports whether c is of the session that stands out, and not far less relevant
// than the best of it.
func (t *retrieval) ofOutstanding(c *candidate) bool {
	return t.outstanding != nil && c.occasion() == t.outstanding.occasion() && c.relevance >= outstandingShare*t.outstanding.relevance
}

// outstandingSession returns the best candidate if its session stands out among all others, else
// nil.
func (t *retrieval) outstandingSession() *candidate {
	if t.share < 1 || t.req.Retriever != "" || t.meaning.from == nil {
		return nil
	}
	var best *candidate
	for _, c := range t.found {
		if best == nil || c.relevance > best.relevance {
			best = c
		}
	}
	if best == nil {
		return nil
	}
	next, cosine := leastRelevance, 0.0
	for _, c := range t.found {
		if c.occasion() == best.occasion() {
			cosine = max(cosine, c.cosine)
		} else {
			next = max(next, c.relevance)
		}
	}
	relevance := min(max(best.relevance, leastRelevance), 1-leastRelevance)
	z := outstandingBias +
		outstandingLogit*math.Log(relevance/(1-relevance)) +
		outstandingRatio*math.Log(relevance/next) +
		outstandingDistance*t.deviations(cosine) +
		outstandingLength*math.Log(1+float64(len(t.scorer.q.clauses))) +
		outstandingKnown*t.scorer.known()
	if probability(z) < outstandingConfidence {
		return nil
	}
	return best
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
