package recall

import (
	"context"
	"recollect/internal/api"
	"slices"

	"recollect/internal/recall/block"
	"recollect/internal/recall/request"
	"recollect/internal/recall/sessions"
)

// An injection fills the block of one prompt.
type injection struct {
	*chosen
	texts   *sessions.Texts
	divided *dividedCache
	budget  block.Budget
	res     *request.Result
}

// injectChosen adds to res what was chosen: what is wanted for an activity, and the best of what the
// others say, while the budget lasts.
func (r *Recall) injectChosen(ctx context.Context, t *chosen, res *request.Result) error {
	settings := t.req.Settings.Budget
	n := injection{chosen: t, texts: &r.texts, divided: &r.divided, budget: request.NewBudget(t.req, settings.Items, settings.Tokens), res: res}
	if t.req.Offer == 0 {
		n.injectForActivities()
	}
	if err := r.sayBest(ctx, &n); err != nil {
		return err
	}
	slices.SortStableFunc(t.ranked, func(a, b *candidate) int { return boolOrder(!a.isInjected(), !b.isInjected()) })
	res.Seal()
	res.Explanation.Context = res.Context
	res.Explanation.Tokens = block.Tokens(res.Context)
	return nil
}

// noteCosts notes how relevant each injected memory is, and what it costs, which is less than the whole of it.
func noteCosts(t *chosen, res *request.Result) {
	for i := range res.Injected {
		b := &res.Injected[i]
		if c := t.byID[b.ID]; c != nil {
			b.Relevance, c.tokens = c.relevance, b.Tokens
		}
	}
}

func (c *candidate) isInjected() bool {
	return c.outcome == api.OutcomeInjected || c.outcome == api.OutcomeHeading
}

// injectForActivities injects what is wanted for the activities that the prompt asks for, the same words once.
func (t *injection) injectForActivities() {
	first := map[string]string{} // the best memory with some words, by content key
	for _, c := range t.ranked {
		if c.outcome != "" || c.activity == "" {
			continue
		}
		key := c.memory.ContentKey()
		if same := first[key]; same != "" {
			c.outcome = "says the same as " + same
			continue
		}
		if c.outcome = t.reasonToYield(c, nil); c.outcome != "" {
			continue
		}
		first[key] = c.memory.ID
		var text string
		if text, c.outcome = request.FitForm(&t.budget, c.memory, t.req); text == "" {
			t.res.Left++
			continue
		}
		t.res.Add(c.memory, c.score.Value, text, c.outcome)
	}
}

// duplicateCosine is the cosine above which two memories say nearly the same. It is high, because to hold back
// what says something else, such as the next decision on a subject, costs more than to inject one thing twice.
const duplicateCosine = 0.95

// duplicateOf returns the memory of one of the chosen statements that is a near duplicate of c, or "": their
// cosine is above duplicateCosine.
func (t *injection) duplicateOf(c *candidate, beside []said) string {
	if t.meaning.from == nil || len(beside) == 0 {
		return ""
	}
	ids := make([]string, len(beside))
	for i, s := range beside {
		ids[i] = s.of.id
	}
	for i, cos := range t.meaning.from.File.Similarities(c.id, ids) {
		if cos > duplicateCosine && ids[i] != c.id {
			return ids[i]
		}
	}
	return ""
}
