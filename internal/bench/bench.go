// Package bench measures recall on test collections and on real transcripts,
// so that a change to the ranking is judged by figures.
//
// A collection is a folder with documents, queries and qrels (which documents
// are relevant to which query). Its documents become memories of a temporary
// data folder and are found through the same store, index and recall that the
// daemon uses. A leg is one way to rank them; the same queries go through
// each, so that legs can be compared query by query.
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
	Field string   // FieldText or FieldDetail
	Legs  []string // names; none for all there are
	Set   []string // settings to change, "key=value"
}

// A Report is what was measured.
type Report struct {
	Set       string            `json:"set"`
	Field     string            `json:"field"`
	Queries   int               `json:"queries"`
	Negatives int               `json:"negatives"`
	Docs      int               `json:"docs"`
	Legs      map[string]*Score `json:"legs"`
}

// A Score is what one leg reached.
type Score struct {
	Metrics
	PerQuery map[string]Outcome `json:"per_query,omitempty"` // by the query's id
}

// Summarise drops the outcomes of the single queries.
func (r *Report) Summarise() {
	for _, s := range r.Legs {
		s.PerQuery = nil
	}
}

// Run measures c as p says.
func Run(ctx context.Context, c *Collection, p Plan, log *slog.Logger) (r *Report, err error) {
	if err := p.Validate(); err != nil {
		return nil, err
	}
	settings, err := Settings(p.Set)
	if err != nil {
		return nil, err
	}
	names := p.legs(settings)
	if p.Field == FieldDetail && !slices.ContainsFunc(c.Queries, func(q Query) bool { return q.Detail != "" }) {
		return nil, fmt.Errorf("measure %s: no query has a detail", c.Name)
	}
	legs, end, err := openLegs(ctx, c, names, settings, log)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, end()) }()
	r = &Report{Set: c.Name, Field: p.Field, Queries: len(c.Queries), Negatives: len(c.Negatives), Docs: len(c.Docs), Legs: map[string]*Score{}}
	for _, l := range legs {
		if r.Legs[l.name()], err = measure(ctx, l, c, p.Field); err != nil {
			return nil, fmt.Errorf("measure %s by %s: %w", c.Name, l.name(), err)
		}
	}
	return r, nil
}

// Validate reports what is wrong with p.
func (p Plan) Validate() error {
	if p.Field != FieldText && p.Field != FieldDetail {
		return fmt.Errorf("field %q: must be %s or %s", p.Field, FieldText, FieldDetail)
	}
	settings, err := Settings(p.Set)
	if err != nil {
		return err
	}
	for _, n := range p.Legs {
		if !slices.Contains(legNames, n) {
			return fmt.Errorf("leg %q: must be one of %s", n, strings.Join(legNames, ", "))
		}
		if n == Vector && settings.Embedder.Kind == config.EmbedderOff {
			return fmt.Errorf("leg %q: the embedder is off", n)
		}
	}
	return nil
}

// legs are those that were named, or all that the settings allow.
func (p Plan) legs(settings config.Settings) []string {
	switch {
	case len(p.Legs) > 0:
		return p.Legs
	case settings.Embedder.Kind == config.EmbedderOff:
		return []string{Fused, Lexical, Bleve}
	}
	return legNames
}

// A tally gathers what a leg did with one kind of query.
type tally struct {
	outcomes  []Outcome
	relevance []float64 // of the best document of each query
	told      int
	took      []time.Duration
}

// measure sends all queries of c through l.
func measure(ctx context.Context, l leg, c *Collection, field string) (*Score, error) {
	yes, err := ask(ctx, l, c.Queries, field, c.newest())
	if err != nil {
		return nil, err
	}
	no, err := ask(ctx, l, c.Negatives, field, c.newest())
	if err != nil {
		return nil, err
	}
	s := &Score{Metrics: mean(yes.outcomes), PerQuery: map[string]Outcome{}}
	for i, q := range c.Queries {
		s.PerQuery[q.ID] = yes.outcomes[i]
	}
	took := append(yes.took, no.took...)
	s.P50, s.P95 = milliseconds(took, 0.5), milliseconds(took, 0.95)
	_, tells := l.(teller)
	if tells {
		s.Told = share(yes.told, len(c.Queries))
	}
	if len(c.Negatives) > 0 {
		a, k := auc(yes.relevance, no.relevance), kept(yes.relevance, no.relevance)
		s.AUC, s.Kept = &a, &k
		if tells {
			s.FalseTold = share(no.told, len(c.Negatives))
		}
	}
	return s, nil
}

func share(n, of int) *float64 {
	s := float64(n) / float64(of)
	return &s
}

// ask sends queries through l. newest is when the last document was written.
func ask(ctx context.Context, l leg, queries []Query, field string, newest time.Time) (tally, error) {
	var t tally
	tells, _ := l.(teller)
	for i := range queries {
		q := question{queries[i].prompt(field), queries[i].Scope, queries[i].Time.Time}
		if q.now.IsZero() {
			q.now = newest.Add(time.Second)
		}
		start := time.Now()
		hits, err := l.rank(ctx, q)
		t.took = append(t.took, time.Since(start))
		if err != nil {
			return t, fmt.Errorf("query %s: %w", queries[i].ID, err)
		}
		t.add(hits, queries[i].Relevant)
		if tells == nil {
			continue
		}
		told, err := tells.tells(ctx, q)
		if err != nil {
			return t, fmt.Errorf("query %s: %w", queries[i].ID, err)
		}
		if told {
			t.told++
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
		o := judge(docs, relevant)
		o.Relevance = best
		t.outcomes = append(t.outcomes, o)
	}
}
