package bench

import (
	"context"
	"errors"
	"log/slog"
	"time"

	"recollect/internal/recall"
)

// A Case is one query with the candidates that recall has for it, for the
// training of relevance.
type Case struct {
	Query      string
	Answerable bool
	Wanted     int // relevant documents there are
	Candidates []recall.Example
	Relevant   []bool // by candidate
}

// Cases returns the candidates of every query of c. Those of a query without
// an answer are all irrelevant.
func Cases(ctx context.Context, c *Collection, field string, set []string, log *slog.Logger) (cases []Case, err error) {
	settings, err := Settings(set)
	if err != nil {
		return nil, err
	}
	f, err := fill(ctx, c, settings, log)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.close()) }()
	o := &ours{f, Fused, settings}
	for _, q := range append(c.Queries[:len(c.Queries):len(c.Queries)], c.Negatives...) {
		now := q.Time.Time
		if now.IsZero() {
			now = c.newest().Add(time.Second)
		}
		found, err := f.recall.Examples(ctx, o.request(question{q.prompt(field), q.Scope, now}))
		if err != nil {
			return nil, err
		}
		cs := Case{Query: q.Text, Answerable: len(q.Relevant) > 0, Wanted: len(q.Relevant), Candidates: found}
		for _, e := range found {
			cs.Relevant = append(cs.Relevant, q.Relevant[f.docs[e.ID]])
		}
		cases = append(cases, cs)
	}
	return cases, nil
}
