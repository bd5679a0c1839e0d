package bench

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"time"

	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/recall"
)

// The retrievers.
const (
	Fused   = "fused"        // all retrievers combined, as in the product
	Lexical = recall.Lexical // words only
	Vector  = recall.Vector  // meaning only
	Bleve   = "bleve"        // bleve's own English analysis and scoring, for comparison
)

// retrieverNames lists the retrievers in the order in which they are run and
// shown.
var retrieverNames = []string{Fused, Lexical, Vector, Bleve}

// Retrievers lists the names of the retrievers.
func Retrievers() []string { return slices.Clone(retrieverNames) }

// A retriever is one way to rank the documents of a collection.
type retriever interface {
	name() string
	// rank returns the best documents for a question, best first.
	rank(ctx context.Context, q question) ([]hit, error)
}

// A question is a query in the form in which it is sent.
type question struct {
	prompt string
	scope  string
	now    time.Time
}

// question returns q in the form in which it is sent. A query without a time is asked just after the
// newest document.
func (c *Collection) question(q *Query, field string) question {
	now := q.Time.Time
	if now.IsZero() {
		now = c.newest().Add(time.Second)
	}
	return question{q.prompt(field), q.Scope, now}
}

// A hit is a document with the relevance that the retriever assigns to it.
type hit struct {
	doc       string
	relevance float64
}

// openRetrievers opens the retrievers with these names over the documents of c. recollect's own
// retrievers share an engine. The caller must call end to close them and remove their files.
func openRetrievers(ctx context.Context, c *Collection, names []string, settings config.Settings, log *slog.Logger) (retrievers []retriever, end func() error, err error) {
	var ends []func() error
	end = func() (err error) {
		for _, f := range ends {
			err = errors.Join(err, f())
		}
		return err
	}
	var shared *tempEngine
	for _, name := range names {
		if name == Bleve {
			p, err := newBleveIndex(ctx, c)
			if err != nil {
				return nil, nil, errors.Join(err, end())
			}
			ends, retrievers = append(ends, p.close), append(retrievers, p)
			continue
		}
		if shared == nil {
			if shared, err = c.open(ctx, settings, log); err != nil {
				return nil, nil, errors.Join(err, end())
			}
			ends = append(ends, shared.close)
		}
		retrievers = append(retrievers, newRetriever(shared, name, settings))
	}
	return retrievers, end, nil
}

// A recollectRetriever is one of recollect's own retrievers, or all of them fused.
type recollectRetriever struct {
	*tempEngine
	as       string // the retriever's name
	settings config.Settings
}

func newRetriever(e *tempEngine, name string, settings config.Settings) retriever {
	o := &recollectRetriever{e, name, settings}
	if name == Fused {
		return fusedRetriever{o}
	}
	return o
}

func (o *recollectRetriever) name() string { return o.as }

func (o *recollectRetriever) request(q question) recall.Request {
	retriever := o.as
	if retriever == Fused {
		retriever = ""
	}
	return recall.Request{
		Retriever: retriever,
		Prompt:    q.prompt,
		Project:   memory.Project{Name: q.scope},
		Now:       q.now,
		Settings:  o.settings,
		Filter:    recall.Filter{Project: q.scope},
	}
}

func (o *recollectRetriever) rank(ctx context.Context, q question) ([]hit, error) {
	found, err := o.Recall.Search(ctx, o.request(q), rankingDepth)
	if err != nil {
		return nil, err
	}
	hits := make([]hit, len(found))
	for i, f := range found {
		hits[i] = hit{o.docs[f.Memory.ID], f.Relevance}
	}
	return hits, nil
}

// A fusedRetriever also decides whether anything is injected.
type fusedRetriever struct{ *recollectRetriever }

// injects reports whether anything would be injected for the question.
func (f fusedRetriever) injects(ctx context.Context, q question) (bool, error) {
	res, err := f.Recall.Recall(ctx, f.request(q))
	return len(res.Injected) > 0, err
}
