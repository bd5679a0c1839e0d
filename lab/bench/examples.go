package bench

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"math"
	"slices"

	"recollect/internal/recall"
)

// A Case is one query with the candidates that recall finds for it, from which the relevance model is
// trained.
type Case struct {
	ID         string          // id of the query
	Relevant   map[string]bool // ids of all relevant documents, even if they are not candidates; empty for a query without an answer
	Candidates []recall.Example
	Docs       []string // ids of the candidates' documents
}

// Cases returns the candidates of every query of c. All candidates of a query without an answer are
// irrelevant.
func Cases(ctx context.Context, c *Collection, field string, set []string, log *slog.Logger) (cases []Case, err error) {
	settings, err := Settings(set)
	if err != nil {
		return nil, err
	}
	e, err := c.open(ctx, settings, log)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	fused := &recollectRetriever{e, Fused, settings}
	for _, q := range slices.Concat(c.Queries, c.Negatives) {
		found, err := e.Recall.Examples(ctx, fused.request(c.question(&q, field)))
		if err != nil {
			return nil, err
		}
		cs := Case{ID: q.ID, Relevant: q.Relevant, Candidates: found}
		for _, f := range found {
			cs.Docs = append(cs.Docs, e.docs[f.ID])
		}
		cases = append(cases, cs)
	}
	return cases, nil
}

// Measure measures the ranking of the candidates by score. Higher is better, and ids order equal scores.
// Relevance is the best score, or −Inf without candidates. For a query without an answer it sets only
// Relevance.
func (c *Case) Measure(score func(recall.Example) float64) Outcome {
	scores, order := make([]float64, len(c.Candidates)), make([]int, len(c.Candidates))
	best := math.Inf(-1)
	for i, e := range c.Candidates {
		scores[i], order[i] = score(e), i
		best = max(best, scores[i])
	}
	if len(c.Relevant) == 0 {
		return Outcome{Relevance: best}
	}
	slices.SortFunc(order, func(a, b int) int {
		return cmp.Or(cmp.Compare(scores[b], scores[a]), cmp.Compare(c.Candidates[a].ID, c.Candidates[b].ID))
	})
	docs := make([]string, len(order))
	for i, at := range order {
		docs[i] = c.Docs[at]
	}
	o := measureRanking(docs, c.Relevant)
	o.Relevance = best
	return o
}

// Summary averages the outcomes of queries with an answer. AUC and Kept compare their relevance with that
// of queries without one. bound is the relevance that at most one in twenty of the latter exceeds, or NaN
// if there are none.
func Summary(yes, no []Outcome) (m Metrics, bound float64) {
	m = mean(yes)
	if len(no) == 0 {
		return m, math.NaN()
	}
	y, n := relevances(yes), relevances(no)
	a, k := auc(y, n), kept(y, n)
	m.AUC, m.Kept = &a, &k
	return m, percentile(n, 1-falseShare)
}

func relevances(outcomes []Outcome) []float64 {
	out := make([]float64, len(outcomes))
	for i, o := range outcomes {
		out[i] = o.Relevance
	}
	return out
}
