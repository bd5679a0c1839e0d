// Package bench measures recall on test collections and on real transcripts, so that figures decide about
// changes to the ranking.
//
// A collection is a folder with documents, queries and qrels, which say which documents are relevant to
// which query. Its documents become memories of the daemon's engine in a temporary data folder. A
// retriever is one way to rank them. Each gets the same queries, so that retrievers can be compared query
// by query.
package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"recollect/internal/config"
)

// A Plan says what to measure on a collection.
type Plan struct {
	Field      string   // FieldText or FieldDetail
	Retrievers []string // names; all that the settings allow if empty
	Set        []string // settings to change, "key=value"
}

// A Report holds the results of a measurement.
type Report struct {
	Set        string            `json:"set"`
	Field      string            `json:"field"`
	Queries    int               `json:"queries"`
	Negatives  int               `json:"negatives"`
	Docs       int               `json:"docs"`
	Retrievers map[string]*Score `json:"legs"`
}

// A Score holds the measures of one retriever.
type Score struct {
	Metrics
	PerQuery map[string]Outcome `json:"per_query,omitempty"` // by the query's id
}

// Summarise removes the outcomes of the single queries.
func (r *Report) Summarise() {
	for _, s := range r.Retrievers {
		s.PerQuery = nil
	}
}

// Run measures c according to p.
func Run(ctx context.Context, c *Collection, p Plan, log *slog.Logger) (r *Report, err error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	settings, err := Settings(p.Set)
	if err != nil {
		return nil, err
	}
	names := p.selected(settings)
	if p.Field == FieldDetail && !slices.ContainsFunc(c.Queries, func(q Query) bool { return q.Detail != "" }) {
		return nil, fmt.Errorf("measure %s: no query has a detail", c.Name)
	}
	retrievers, end, err := openRetrievers(ctx, c, names, settings, log)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, end()) }()
	r = &Report{Set: c.Name, Field: p.Field, Queries: len(c.Queries), Negatives: len(c.Negatives), Docs: len(c.Docs), Retrievers: map[string]*Score{}}
	for _, x := range retrievers {
		if r.Retrievers[x.name()], err = measure(ctx, x, c, p.Field); err != nil {
			return nil, fmt.Errorf("measure %s with %s: %w", c.Name, x.name(), err)
		}
	}
	return r, nil
}

// Validate returns an error if p is not valid.
func (p Plan) Validate() error {
	if p.Field != FieldText && p.Field != FieldDetail {
		return fmt.Errorf("field %q: must be %s or %s", p.Field, FieldText, FieldDetail)
	}
	settings, err := Settings(p.Set)
	if err != nil {
		return err
	}
	for _, n := range p.Retrievers {
		if !slices.Contains(retrieverNames, n) {
			return fmt.Errorf("leg %q: must be one of %s", n, strings.Join(retrieverNames, ", "))
		}
		if n == Vector && settings.Embedder.Kind == config.EmbedderOff {
			return fmt.Errorf("leg %q: the embedder is off", n)
		}
	}
	return nil
}

// selected returns the named retrievers, or all that the settings allow.
func (p Plan) selected(settings config.Settings) []string {
	switch {
	case len(p.Retrievers) > 0:
		return p.Retrievers
	case settings.Embedder.Kind == config.EmbedderOff:
		return []string{Fused, Lexical, Bleve}
	}
	return retrieverNames
}

// A tally collects the answers of a retriever to one kind of query.
type tally struct {
	outcomes  []Outcome
	relevance []float64 // relevance of the best document of each query
	injected  int
	took      []time.Duration
}

// measure sends all queries of c to r.
func measure(ctx context.Context, r retriever, c *Collection, field string) (*Score, error) {
	yes, err := ask(ctx, r, c, c.Queries, field)
	if err != nil {
		return nil, err
	}
	no, err := ask(ctx, r, c, c.Negatives, field)
	if err != nil {
		return nil, err
	}
	s := &Score{Metrics: mean(yes.outcomes), PerQuery: map[string]Outcome{}}
	for i, q := range c.Queries {
		s.PerQuery[q.ID] = yes.outcomes[i]
	}
	took := append(yes.took, no.took...)
	s.P50, s.P95 = milliseconds(took, 0.5), milliseconds(took, 0.95)
	_, canInject := r.(fusedRetriever)
	if canInject {
		s.Injected = share(yes.injected, len(c.Queries))
	}
	if len(c.Negatives) > 0 {
		a, k := auc(yes.relevance, no.relevance), kept(yes.relevance, no.relevance)
		s.AUC, s.Kept = &a, &k
		if canInject {
			s.FalselyInjected = share(no.injected, len(c.Negatives))
		}
	}
	return s, nil
}

func share(n, of int) *float64 {
	s := float64(n) / float64(of)
	return &s
}

// ask sends queries of c to r.
func ask(ctx context.Context, r retriever, c *Collection, queries []Query, field string) (tally, error) {
	var t tally
	fused, canInject := r.(fusedRetriever)
	for i := range queries {
		q := c.question(&queries[i], field)
		start := time.Now()
		hits, err := r.rank(ctx, q)
		t.took = append(t.took, time.Since(start))
		if err != nil {
			return t, fmt.Errorf("query %s: %w", queries[i].ID, err)
		}
		t.add(hits, queries[i].Relevant)
		if !canInject {
			continue
		}
		injected, err := fused.injects(ctx, q)
		if err != nil {
			return t, fmt.Errorf("query %s: %w", queries[i].ID, err)
		}
		if injected {
			t.injected++
		}
	}
	return t, nil
}

func (t *tally) add(hits []hit, relevant map[string]bool) {
	docs, best := make([]string, len(hits)), 0.0
	for i, h := range hits {
		docs[i], best = h.doc, max(best, h.relevance)
	}
	t.relevance = append(t.relevance, best)
	if len(relevant) > 0 {
		o := measureRanking(docs, relevant)
		o.Relevance = best
		t.outcomes = append(t.outcomes, o)
	}
}
