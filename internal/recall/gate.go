package recall

import (
	"fmt"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/request"
)

// holdBack holds back the candidates that may not be injected, and says why.
func (t *scored) holdBack(found []*candidate) {
	for _, c := range found {
		t.holdBackOne(c)
	}
	if !t.asksForKind() && t.req.Retriever != request.Vector {
		holdFarBehind(found, t.req.Settings.Recall.OddsRatio)
	}
}

// asksForKind reports whether a prompt asks for a kind of memories, whatever words they have: goals, the latest,
// or past work.
func (q *query) asksForKind() bool { return q.Goals || q.Latest || q.past }

// holdFarBehind holds back what has less than 1/ratio of the odds of the best candidate, which is of
// another session; with 0 nothing. Relevance says how likely it is that a memory matters to the prompt,
// whatever else was found. But a prompt is mostly about one thing: where one is found, another is
// right far less often than its relevance says. What was injected before counts as found; what this
// session said does not, because it asks what the prompt asks.
func holdFarBehind(found []*candidate, ratio float64) {
	best := bestByWords(found)
	if best == nil || ratio == 0 {
		return
	}
	for _, c := range found {
		far := c.relevance < certain && ratio*odds(c.relevance) < odds(best.relevance)
		if far && c.awaitsPlace() && c.sessionOrSelf() != best.sessionOrSelf() {
			c.outcome = "far less relevant than " + best.id
		}
	}
}

// bestByWords returns the most relevant candidate that may be injected or was, nil if there is none.
// What matters to an activity says nothing of what the words of a prompt are about.
func bestByWords(found []*candidate) *candidate {
	var best *candidate
	for _, c := range found {
		injected := c.activity == "" && c.outcome == api.OutcomeAlready
		if !injected && !c.awaitsPlace() {
			continue
		}
		if best == nil || c.relevance > best.relevance {
			best = c
		}
	}
	return best
}

// awaitsPlace reports whether a candidate may be injected for the words of the prompt.
func (c *candidate) awaitsPlace() bool { return c.outcome == "" && c.activity == "" }

// certain is the relevance from which on a memory matters to the prompt, whatever else does.
const certain = 0.95

// odds returns p/(1−p), which is infinite for 1.
func odds(p float64) float64 { return p / (1 - p) }

// holdBackOne sets how much relevance a candidate needs, and holds it back if it may not be injected: for
// the first reason in the order in which a user would ask.
func (t *scored) holdBackOne(c *candidate) {
	margin := t.marginOf(c.memory)
	c.required = t.requiredOf(c, margin)
	if c.outcome = t.reasonAgainst(c); c.outcome != "" {
		return
	}
	switch m := c.memory; {
	case c.relevance < c.required:
		c.outcome = fmt.Sprintf("%s %.2f", api.OutcomeTooLow, c.required)
	case t.req.Session.Contains(m):
		c.outcome = "belongs to this session"
	case t.isInjected(c):
		c.outcome = api.OutcomeAlready
	}
}

// marginOf returns the relevance that a memory needs on top because it is of another project.
func (t *scored) marginOf(m *memory.Memory) float64 {
	if t.req.Filter.Project != "" || t.req.Applies(m) {
		return 0
	}
	return t.req.Settings.Project.OtherMargin
}

// requiredOf returns the relevance that a candidate needs: less if it is of this project and asked for by a prompt
// about past work.
func (t *scored) requiredOf(c *candidate, margin float64) float64 {
	required := min(1, t.req.Least(c.memory.Source)+margin)
	switch {
	case margin != 0 || t.req.IsRaised(c.memory.Source):
		return required
	case t.past:
		return min(required, pastRelevance)
	}
	return required
}

// reasonAgainst returns why a candidate may not be injected, however relevant it is; "" if it may.
func (t *scored) reasonAgainst(c *candidate) string {
	req, m := t.req, c.memory
	switch {
	case c.superseded != "":
		return api.OutcomeSuperseded + " " + c.superseded
	case m.Done():
		return "goal is done"
	case m.StatesNothing() && req.Offer == 0: // a reader sees what it says, of whatever kind
		return "it states nothing"
	case c.withheld != "":
		return c.withheld
	case req.IsOfOtherTeam(m):
		return request.OtherTeam
	case !req.Settings.Sources.Of(m.Source).Enabled:
		return fmt.Sprintf("source %s is off", m.Source)
	case m.Source == memory.Goals && !t.Goals && !t.past:
		return "the prompt does not mention goals"
	case !req.Filter.Admits(m):
		return "filtered out"
	case req.Only != nil && !request.HasAnyOf(req.Only, m):
		return api.OutcomeNotBefore
	case c.activity == "" && t.hasUsualWordsOnly():
		return "the prompt's words are too usual to tell which memory it is about"
	}
	return ""
}

// whyWithheld returns why a memory is not injected, whatever the prompt is; "" if it may be.
func (r *Recall) whyWithheld(m *memory.Memory) string {
	if r.isWrong(m.ID) {
		return SaidWrong
	}
	return r.whyNotOurs(m)
}

// mostChance is how many memories may be expected to have all words of a prompt by chance. Where they
// are as many, as for "commit and push" in a store of thousands, to have them says nothing.
const mostChance = 1

// hasUsualWordsOnly reports whether the words of a prompt do not tell which memory it is about.
func (t *scored) hasUsualWordsOnly() bool {
	return t.scorer.ByChance() >= mostChance && !t.asksForKind()
}

// isInjected reports whether a candidate was injected into the session, or its heading was, and
// nothing asks for more.
func (t *scored) isInjected(c *candidate) bool {
	injected, m := t.req.Session.Injected, c.memory
	if request.IsInjected(injected, m.ID, m.ContentKey()) {
		return true
	}
	return t.req.Session.HasHeading(m) && (c.activity == "" || t.req.HeadingsOnly)
}
