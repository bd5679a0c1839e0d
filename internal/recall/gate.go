package recall

import (
	"fmt"
	"slices"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// gate holds back the candidates that may not be injected, and says why.
func (t *retrieval) gate(q query) {
	for _, c := range t.found {
		t.check(c, q)
	}
}

// check holds back a candidate that may not be injected, and sets the first reason in the
// order in which a user would ask.
func (t *retrieval) check(c *candidate, q query) {
	req, m := t.req, &c.memory
	s := req.Settings.Sources.Of(m.Source)
	c.required = s.MinRelevance
	if project := m.Home(); req.Filter.Project == "" && !project.Zero() && !project.Same(req.Project) {
		c.required = min(1, c.required+req.Settings.Project.OtherMargin)
	}
	if t.outstanding != "" && m.Session == t.outstanding {
		c.required = min(c.required, outstandingRelevance)
	}
	if t.req.asksPast && c.required == s.MinRelevance { // of this project
		c.required = min(c.required, pastRelevance)
	}
	switch {
	case c.superseded != "":
		c.outcome = api.OutcomeSuperseded + " " + c.superseded
	case m.Done():
		c.outcome = "goal is done"
	case !s.Enabled:
		c.outcome = fmt.Sprintf("source %s is off", m.Source)
	case m.Source == memory.Goals && !q.goals && !t.req.asksPast:
		c.outcome = "the prompt does not mention goals"
	case !req.Filter.admits(m):
		c.outcome = "filtered out"
	case req.Only != nil && req.Only[m.ID] == "":
		c.outcome = api.OutcomeNotBefore
	case c.relevance < c.required:
		c.outcome = fmt.Sprintf("%s %.2f", api.OutcomeTooLow, c.required)
	case req.Session.contains(m):
		c.outcome = "belongs to this session"
	case alreadyInjected(req.Session.Injected, m.ID, m.ContentKey()):
		c.outcome = api.OutcomeAlready
	case t.topic && slices.Contains(req.Session.Passed, m.ID):
		c.outcome = samePrompt
	}
}

// samePrompt holds back what passed the gates at the prompt before on the same topic: it
// was less relevant than what was injected then.
const samePrompt = "was found for the prompt before, on the same topic"

// sameTopic reports whether the prompt goes on with the topic of the one before it: their
// cosine is above recall.topic_gate, where 1 means never. The embedder must still have the
// vector of that prompt.
func (t *retrieval) sameTopic() bool {
	limit := t.req.Settings.Recall.TopicGate
	if t.meaning.from == nil || len(t.req.Session.Passed) == 0 || limit >= 1 {
		return false
	}
	last, ok := t.meaning.from.Embedder.Known(embeddedPart(t.req.LastPrompt))
	if !ok {
		return false
	}
	cos := 0.0
	for i, x := range t.meaning.query {
		cos += float64(x) * float64(last[i])
	}
	return cos > limit
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
