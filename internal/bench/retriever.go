package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/recall"
)

// The ways to rank.
const (
	Fused   = "fused"        // all that there is, as the product does it
	Lexical = recall.Lexical // words alone
	Vector  = recall.Vector  // meaning alone
	Bleve   = "bleve"        // bleve's own English analysis and scoring, for comparison
)

// legNames are the ways to rank, in the order in which they are run and
// shown.
var legNames = []string{Fused, Lexical, Vector, Bleve}

// Legs lists the ways to rank.
func Legs() []string { return slices.Clone(legNames) }

// A leg is one way to rank the documents of a collection.
type leg interface {
	name() string
	// rank returns the best documents for a question, best first.
	rank(ctx context.Context, q question) ([]hit, error)
}

// A teller is a leg that also decides whether to say anything.
type teller interface {
	// tells reports whether the question would be told anything.
	tells(ctx context.Context, q question) (bool, error)
}

// A question is a query as it is sent.
type question struct {
	prompt string
	scope  string
	now    time.Time
}

// A hit is a document with the leg's measure of how well it answers.
type hit struct {
	doc       string
	relevance float64
}

// openLegs makes the legs with these names over the documents of c, those of
// recollect itself over one data folder. end closes and removes what they use.
func openLegs(ctx context.Context, c *Collection, names []string, settings config.Settings, log *slog.Logger) (legs []leg, end func() error, err error) {
	var ends []func() error
	end = func() (err error) {
		for _, f := range ends {
			err = errors.Join(err, f())
		}
		return err
	}
	var shared *filled
	for _, name := range names {
		switch {
		case name == Bleve:
			p, err := newPlain(ctx, c)
			if err != nil {
				return nil, nil, errors.Join(err, end())
			}
			ends, legs = append(ends, p.close), append(legs, p)
		case shared == nil:
			if shared, err = fill(ctx, c, settings, log); err != nil {
				return nil, nil, errors.Join(err, end())
			}
			ends = append(ends, shared.close)
			fallthrough
		default:
			legs = append(legs, shared.leg(name, settings))
		}
	}
	return legs, end, nil
}

// A filled home knows which document each memory was made of.
type filled struct {
	*home
	memories []memory.Memory
	docs     map[string]string // by the memory's id
}

// fill takes a collection into a home of its own.
func fill(ctx context.Context, c *Collection, settings config.Settings, log *slog.Logger) (*filled, error) {
	h, err := openHome(ctx, settings, log)
	if err != nil {
		return nil, err
	}
	f := &filled{h, c.memories(), make(map[string]string, len(c.Docs))}
	if err := h.put(ctx, f.memories); err != nil {
		return nil, errors.Join(fmt.Errorf("store %s: %w", c.Name, err), h.close())
	}
	for i, m := range f.memories {
		f.docs[m.ID] = c.Docs[i].ID
	}
	return f, nil
}

func (f *filled) leg(name string, settings config.Settings) leg {
	o := &ours{f, name, settings}
	if name == Fused {
		return product{o}
	}
	return o
}

// ours is recollect itself, one way or the other.
type ours struct {
	*filled
	as       string // the leg's name
	settings config.Settings
}

func (o *ours) name() string { return o.as }

func (o *ours) request(q question) recall.Request {
	leg := o.as
	if leg == Fused {
		leg = ""
	}
	return recall.Request{
		Retriever: leg,
		Prompt:    q.prompt,
		Project:   memory.Project{Name: q.scope},
		Now:       q.now,
		Settings:  o.settings,
		Filter:    recall.Filter{Project: q.scope},
	}
}

func (o *ours) rank(ctx context.Context, q question) ([]hit, error) {
	found, err := o.recall.Search(ctx, o.request(q), depth)
	if err != nil {
		return nil, err
	}
	hits := make([]hit, len(found))
	for i, f := range found {
		hits[i] = hit{o.docs[f.Memory.ID], f.Relevance}
	}
	return hits, nil
}

// product is the leg that decides what is told.
type product struct{ *ours }

func (p product) tells(ctx context.Context, q question) (bool, error) {
	res, err := p.recall.Recall(ctx, p.request(q))
	return len(res.Bites) > 0, err
}
