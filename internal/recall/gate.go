package recall

import (
	"fmt"
	"slices"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/terms"
)

// gate holds back the candidates that may not be injected, and says why.
func (t *retrieval) gate(q terms.Query) {
	for _, c := range t.found {
		t.check(c, q)
	}
	if !q.Goals && !q.Latest && t.req.asksPast == "" && t.req.Retriever != Vector {
		t.holdFarBehind(t.req.Settings.Recall.OddsRatio)
	}
}

// holdFarBehind holds back what has less than 1/ratio of the odds of the best candidate, which is of
// another session; with 0 nothing. Relevance says how likely it is that a memory bears on the prompt,
// whatever else was found. But a prompt is mostly about one thing: where one is found, another is
// right far less often than its relevance says. What was injected before counts as found; what this
// session said does not, because it asks what the prompt asks.
func (t *retrieval) holdFarBehind(ratio float64) {
	var best *candidate
	for _, c := range t.found {
		if (c.outcome == "" || c.outcome == api.OutcomeAlready) && c.bears == "" && (best == nil || c.relevance > best.relevance) {
			best = c
		}
	}
	if best == nil || ratio == 0 {
		return
	}
	for _, c := range t.found {
		far := c.relevance < certain && ratio*odds(c.relevance) < odds(best.relevance)
		if far && c.outcome == "" && c.bears == "" && c.occasion() != best.occasion() {
			c.outcome = "far less relevant than " + best.id
		}
	}
}

// certain is the relevance from which on a memory bears on the prompt, whatever else does.
const certain = 0.95

// odds returns p/(1−p), which is infinite for 1.
func odds(p float64) float64 { return p / (1 - p) }

// check holds back a candidate that may not be injected, and sets the first reason in the
// order in which a user would ask.
func (t *retrieval) check(c *candidate, q terms.Query) {
	req, m := t.req, c.memory
	s := req.Settings.Sources.Of(m.Source)
	margin := 0.0
	if req.Filter.Project == "" && !req.applies(m) {
		margin = req.Settings.Project.OtherMargin
	}
	c.required = min(1, req.least(m.Source)+margin)
	if margin == 0 && !req.raised(m.Source) { // of this project
		c.required = t.lowered(c)
	}
	switch {
	case c.superseded != "":
		c.outcome = api.OutcomeSuperseded + " " + c.superseded
	case m.Done():
		c.outcome = "goal is done"
	case c.apart != "":
		c.outcome = c.apart
	case t.otherTeam(c):
		c.outcome = otherTeam
	case !s.Enabled:
		c.outcome = fmt.Sprintf("source %s is off", m.Source)
	case m.Source == memory.Goals && !q.Goals && t.req.asksPast == "":
		c.outcome = "the prompt does not mention goals"
	case !req.Filter.admits(m):
		c.outcome = "filtered out"
	case req.Only != nil && req.Only[m.ID] == "":
		c.outcome = api.OutcomeNotBefore
	case t.scorer.chance >= mostChance && c.bears == "" && !q.Goals && !q.Latest && req.asksPast == "":
		c.outcome = "the prompt's words are too usual to tell which memory it is about"
	case c.relevance < c.required:
		c.outcome = fmt.Sprintf("%s %.2f", api.OutcomeTooLow, c.required)
		if !req.singledOut(m.Source) {
			c.unsure = c.relevance - margin
		}
	case req.Session.contains(m):
		c.outcome = "belongs to this session"
	case alreadyInjected(req.Session.Injected, m.ID, m.ContentKey()), req.Session.hasHeading(m) && (c.bears == "" || req.HeadingsOnly):
		c.outcome = api.OutcomeAlready
	}
}

// lowered returns the relevance that a candidate of the session that leads needs, or one that a
// prompt about past work asks for.
func (t *retrieval) lowered(c *candidate) float64 {
	switch {
	case t.req.asksPast != "":
		return min(c.required, pastRelevance)
	case t.ofLeading(c):
		return min(c.required, c.relevance)
	}
	return c.required
}

// mostChance is how many memories may be expected to have all words of a prompt by chance. Where they
// are as many, as for "commit and push" in a store of thousands, to have them says nothing.
const mostChance = 1

// samePrompt holds back what passed the gates at the prompt before on the same topic, was
// not injected then, and is no better an answer now.
const samePrompt = "ranks no better than for the prompt before, on the same topic"

// holdSame holds back what ranks no better than at the prompt before on the same topic,
// and returns the ids of what passed the gates, in order of rank. What was injected before
// takes its place among them.
func (t *retrieval) holdSame() []string {
	var passed []string
	for _, c := range slices.SortedFunc(slices.Values(t.found), func(a, b *candidate) int { return a.rank - b.rank }) {
		if c.outcome != "" && c.outcome != api.OutcomeAlready {
			continue
		}
		before := slices.Index(t.req.Session.Passed, c.id)
		if c.outcome == "" && t.topic && before >= 0 && len(passed) >= before {
			c.outcome = samePrompt
		}
		passed = append(passed, c.id)
	}
	holdLast(t.found)
	return passed
}

// sameTopic reports whether the prompt goes on with the topic of the one before it: their
// cosine is above recall.topic_gate, where 1 means never. The embedder must still have the
// vector of that prompt.
func (r *Recall) sameTopic(t *retrieval) bool {
	limit := t.req.Settings.Recall.TopicGate
	if t.meaning.from == nil || len(t.req.Session.Passed) == 0 || limit >= 1 {
		return false
	}
	last, ok := t.meaning.from.Embedder.Known(r.embedded(t.req.LastPrompt, t.synonyms))
	if !ok {
		return false
	}
	cos := 0.0
	for i, x := range t.meaning.query {
		cos += float64(x) * float64(last[i])
	}
	return cos > limit
}

// hasHeading reports whether the heading of m was injected into the session.
func (s *Session) hasHeading(m *memory.Memory) bool {
	id, key := headingKey(m)
	return s.Injected[id] == key
}

// alreadyInjected reports whether these words were injected into the session, under this id
// or another.
func alreadyInjected(keys map[string]string, id, key string) bool {
	if keys[id] == key {
		return true
	}
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}
