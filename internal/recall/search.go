package recall

import (
	"context"
	"fmt"
	"slices"

	"recollect/internal/api"
	"recollect/internal/recall/prompt"
	"recollect/internal/recall/relevance"
	"recollect/internal/recall/request"
	"recollect/internal/recall/terms"
)

// Search returns the memories that matter to a query, best first, with no gate
// but the filter: whoever searches wants to see everything.
func (r *Recall) Search(ctx context.Context, req request.Request, limit int) ([]api.Found, error) {
	s, err := r.searchAll(ctx, &req, limit)
	return s.found, err
}

// ExplainSearch does what Search does and explains it.
func (r *Recall) ExplainSearch(ctx context.Context, req request.Request, limit int) ([]api.Found, api.Explanation, error) {
	s, err := r.searchAll(ctx, &req, limit)
	if err != nil {
		return nil, api.Explanation{}, err
	}
	e := request.NewExplanation(&req)
	r.explainChosen(&e, s.chosen, true)
	return s.found, e, nil
}

// A searchResult is what a search shows, and how it was chosen.
type searchResult struct {
	chosen *chosen
	found  []api.Found
}

func (r *Recall) searchAll(ctx context.Context, req *request.Request, limit int) (searchResult, error) {
	req.All = true
	// A filter may pass few of the candidates: more of them then, until there
	// are enough or no more.
	for n := max(hitsOfRetriever, limit); ; n *= 10 {
		t, err := r.scoreQuery(ctx, searchQuery(req))
		if err != nil {
			return searchResult{}, err
		}
		rest, err := r.readRest(ctx, t, t.relevant, n)
		if err != nil {
			return searchResult{}, err
		}
		ranked := slices.Concat(t.relevant, rest)
		rankCandidates(ranked, &t.query)
		out := showFound(t, ranked, limit)
		if len(out) == limit || n >= r.Index.Len() {
			return searchResult{&chosen{scored: t, ranked: ranked}, out}, nil
		}
	}
}

// searchQuery makes the query for what somebody searches for: that of a prompt of the same words, so that a memory
// has the same relevance for both.
func searchQuery(req *request.Request) *query {
	asked := &question{req: req, readings: prompt.Readings(req.Prompt)}
	if about := asked.narrow(askedPast(req, asked.readings[0])); about != nil {
		asked = about
	}
	q, _ := newQuery(asked, asked.worded()[0])
	q.share = 1
	return q
}

// wholeQuery makes the query for all that a prompt says, to which every memory is an answer that has anything in
// common with it.
func wholeQuery(req *request.Request, limit int) *query {
	return &query{Query: terms.ReadWhole(req.Prompt, req.Now), req: req, share: 1, limit: limit, all: true}
}

// scoreQuery returns the scored candidates for a query.
func (r *Recall) scoreQuery(ctx context.Context, q *query) (*scored, error) {
	found, err := r.findCandidates(ctx, q)
	if err != nil {
		return nil, err
	}
	return r.scoreCandidates(ctx, found)
}

// showFound returns the first candidates that a search may show, and notes
// what became of each.
func showFound(t *scored, ranked []*candidate, limit int) []api.Found {
	out := []api.Found{}
	for _, c := range ranked {
		switch {
		case c.superseded != "":
			c.outcome = api.OutcomeSuperseded + " " + c.superseded
		case !t.req.Filter.Admits(c.memory):
			c.outcome = "filtered out"
		case c.withheld != "":
			c.outcome = c.withheld
		case t.req.IsOfOtherTeam(c.memory):
			c.outcome = request.OtherTeam
		case len(out) == limit:
			c.outcome = fmt.Sprintf("not among the first %d", limit)
		default:
			c.outcome = api.OutcomeFound
			out = append(out, api.Found{
				Memory: *c.memory, Relevance: c.relevance, Score: c.score.Value,
				Weak: c.relevance < api.WeakBelow && !t.scorer.MeetsAll(&c.Evidence),
			})
		}
	}
	return out
}

// An Example is a candidate as the model of relevance sees it.
type Example struct {
	ID       string
	Embedded bool      // the vectors know it
	Features []float64 // named by FeatureNames, in that order
}

// FeatureNames returns the names of the features of an Example.
func FeatureNames() []string { return relevance.Names[:] }

// Examples returns the candidates for a prompt as the model of relevance sees
// them, for its training.
func (r *Recall) Examples(ctx context.Context, req request.Request) ([]Example, error) {
	t, err := r.scoreQuery(ctx, wholeQuery(&req, hitsOfRetriever))
	if err != nil {
		return nil, err
	}
	out := make([]Example, len(t.relevant))
	for i, c := range t.relevant {
		out[i] = Example{c.id, c.Embedded, append([]float64(nil), c.Features[:]...)}
	}
	return out, nil
}
