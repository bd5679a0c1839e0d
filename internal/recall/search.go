package recall

import (
	"context"
	"fmt"

	"recollect/internal/api"
	"recollect/internal/recall/prompt"
	"recollect/internal/recall/terms"
)

// Search returns the memories that bear on a query, best first, with no gate
// but the filter: whoever searches wants to see everything.
func (r *Recall) Search(ctx context.Context, req Request, limit int) ([]api.Found, error) {
	s, err := r.search(ctx, req, limit)
	return s.found, err
}

// ExplainSearch does what Search does and explains it.
func (r *Recall) ExplainSearch(ctx context.Context, req Request, limit int) ([]api.Found, api.Explanation, error) {
	s, err := r.search(ctx, req, limit)
	if err != nil {
		return nil, api.Explanation{}, err
	}
	e := newExplanation(req)
	r.explain(&e, s.retrieval, s.query, true)
	return s.found, e, nil
}

// A searchResult is the results of a search with the query and the candidates.
type searchResult struct {
	query     terms.Query
	retrieval *retrieval
	found     []api.Found
}

func (r *Recall) search(ctx context.Context, req Request, limit int) (searchResult, error) {
	req.All = true
	// A filter may pass few of the candidates: more of them then, until there
	// are enough or no more.
	for n := max(req.Settings.Recall.Candidates, limit); ; n *= 10 {
		q := terms.ReadWhole(req.Prompt, req.Now)
		q.Everyday = prompt.UnknownEveryday // "pnpm" is thin for a prompt, but whoever searches for it means it
		req.Settings.Recall.Candidates = n
		t, err := r.retrieve(ctx, &q, req, 1)
		if err != nil {
			return searchResult{}, err
		}
		rank(t.found, q, req)
		out := pickFound(t, limit)
		if len(out) == limit || n >= r.Index.Len() {
			return searchResult{q, t, out}, nil
		}
	}
}

// pickFound returns the first candidates that a search may show, and notes
// what became of each.
func pickFound(t *retrieval, limit int) []api.Found {
	out := []api.Found{}
	for _, c := range t.found {
		switch {
		case c.superseded != "":
			c.outcome = api.OutcomeSuperseded + " " + c.superseded
		case !t.req.Filter.admits(c.memory):
			c.outcome = "filtered out"
		case c.apart != "":
			c.outcome = c.apart
		case t.otherTeam(c):
			c.outcome = otherTeam
		case len(out) == limit:
			c.outcome = fmt.Sprintf("not among the first %d", limit)
		default:
			c.outcome = api.OutcomeFound
			out = append(out, api.Found{
				Memory: *c.memory, Relevance: c.relevance, Score: c.score.Value,
				Weak: c.relevance < api.WeakBelow && !t.scorer.meets(c),
			})
		}
	}
	return out
}
