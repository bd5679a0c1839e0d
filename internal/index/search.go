package index

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"recollect/internal/memory"
)

const (
	// k1 and b are the values most of the literature settles on: how soon
	// repetition stops to count, and how much length does.
	k1 = 1.2
	b  = 0.75

	// titleBonus is what a term's presence in the title adds, as a share of
	// its weight times its IDF; in the text it earns up to k1+1 of those.
	// On four retrieval sets 0.1 never lost; 0.25 lost where titles are mere
	// first lines, and 1 lost on three of them.
	titleBonus = 0.1

	// pairBonus is the same for a pair, as a share of its worth. Between 0.3
	// and 0.6 the five sets that were tried do not differ by half a point.
	pairBonus = 0.6
)

// MaxTermScore is what a term can add to a Score and, with its bonus, a Title
// at most, for each unit of its weight times its IDF.
const MaxTermScore = k1 + 1 + titleBonus

// A Query says what to look for.
type Query struct {
	Terms  []Term
	Pairs  []Pair   // those of which a term is not among the first 64 Terms count for nothing
	Also   []string // ids of memories to score whether they are among the best or not
	Filter Filter
}

// A Term is an analysed term to look for, with the factor on its score.
// Terms of weight 0 or less count for nothing.
type Term struct {
	Text   string
	Weight float64
}

// A Filter narrows a search. The zero Filter lets everything pass.
type Filter struct {
	Project string          // name or path of the project
	Sources []memory.Source // any of them
}

// all reports whether f lets everything pass.
func (f Filter) all() bool { return f.Project == "" && len(f.Sources) == 0 }

// A Hit is what a search found about a memory.
type Hit struct {
	ID      string
	Score   float64 // sum of BM25 over the terms, each times its weight
	Title   float64 // sum of weight times IDF over the terms in the title
	Pairs   float64 // sum over the pairs in the text of weight times IDF of the rarer term
	Length  int     // tokens of the text
	Matched uint64  // bit i is set when the text holds term i of the query; from 64 on terms have no bit
}

// Order is what the best hits are chosen by: Score with a bonus for terms in
// the title and for pairs.
func (h *Hit) Order() float64 {
	c := cell{score: h.Score, title: h.Title, pairs: h.Pairs}
	return c.order()
}

// Search returns the memories that hold at least one term of q: the limit of
// the highest order, best first, equal ones by id; after them those of q.Also
// that are not among the best, with what they have, be it nothing, unless the
// filter holds them back or the index has them not. Pairs are looked for in
// half as many memories again as the limit, the best without them.
func (x *Index) Search(ctx context.Context, q Query, limit int) ([]Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var hits []Hit
	err := x.read(ctx, func(g *generation, snap *scorch.IndexSnapshot) error {
		r, err := newReader(g, snap)
		if err != nil {
			return err
		}
		hits, err = x.search(ctx, r, q, limit)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("search index %s: %w", x.dir, err)
	}
	return hits, nil
}

// search answers q in three steps: the best by terms and title are found, what
// pairs they have is looked up, and the best of these by both remain.
func (x *Index) search(ctx context.Context, r *reader, q Query, limit int) ([]Hit, error) {
	if err := r.lengths(); err != nil {
		return nil, err
	}
	clauses, err := r.clauses(ctx, q)
	if err != nil {
		return nil, err
	}
	pairs, err := r.neighbourhood(q)
	if err != nil {
		return nil, err
	}
	s := scan{
		clauses: clauses,
		flat:    k1 * (1 - b),
		slope:   k1 * b / r.average,
		best:    newRanking(pairs.depth(limit)),
		window:  x.pool.Get().(*window),
	}
	for i := range r.parts {
		if err := s.search(ctx, r, i, q); err != nil {
			return nil, err
		}
	}
	x.pool.Put(s.window)
	return s.hits(pairs, limit)
}

// hits returns the best documents with what pairs they have, and after them
// the others that were asked for.
func (s *scan) hits(pairs neighbourhood, limit int) ([]Hit, error) {
	best, err := named(s.best.top(), pairs)
	if err != nil {
		return nil, err
	}
	best = best[:min(max(limit, 0), len(best))]
	others, err := named(s.also, pairs)
	if err != nil {
		return nil, err
	}
	known := make(map[string]bool, len(best))
	for i := range best {
		known[best[i].ID] = true
	}
	return append(best, slices.DeleteFunc(others, func(h Hit) bool { return known[h.ID] })...), nil
}

// named adds the pairs of candidates and returns them under their own ids,
// best first.
func named(candidates []candidate, pairs neighbourhood) ([]Hit, error) {
	hits := make([]Hit, 0, len(candidates))
	for _, c := range candidates {
		if err := pairs.add(&c); err != nil {
			return nil, err
		}
		id, err := c.part.DocID(uint64(c.number))
		if err != nil {
			return nil, err
		}
		hits = append(hits, Hit{string(id), c.score, c.title, c.pairs, int(c.part.lengths[c.number]), c.matched})
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Order(), a.Order()), cmp.Compare(a.ID, b.ID))
	})
	return hits, nil
}

// Frequencies returns the number of memories that hold each term, and the
// number of all memories.
func (x *Index) Frequencies(terms []string) (df []int, docs int, err error) {
	err = x.read(context.Background(), func(g *generation, snap *scorch.IndexSnapshot) error {
		r, err := newReader(g, snap)
		if err != nil {
			return err
		}
		df, docs = make([]int, len(terms)), r.docs
		for i, t := range terms {
			if df[i], err = r.count(t); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read term frequencies of index %s: %w", x.dir, err)
	}
	return df, docs, nil
}

// A clause is a term in the text or in the title, and what a document earns
// that has it.
type clause struct {
	parts []termPart
	title bool
	worth float64
	bound float64 // the most that it can add to the order of a document
	bit   uint64  // of cell.matched
}

// clauses returns the terms of q that this index has, the highest bound first.
func (r *reader) clauses(ctx context.Context, q Query) ([]clause, error) {
	var all []clause
	for i, t := range q.Terms {
		if t.Weight <= 0 {
			continue
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := r.term(textField, t.Text, true)
		if err != nil {
			return nil, err
		}
		df := count(text)
		if df == 0 {
			continue
		}
		title, err := r.term(titleField, t.Text, true)
		if err != nil {
			return nil, err
		}
		worth := t.Weight * IDF(df, r.docs)
		all = append(all,
			clause{parts: text, worth: worth, bound: worth * (k1 + 1), bit: bit(i)},
			clause{parts: title, title: true, worth: worth, bound: worth * titleBonus})
	}
	slices.SortStableFunc(all, func(a, b clause) int { return cmp.Compare(b.bound, a.bound) })
	return all, nil
}

func bit(i int) uint64 {
	if i >= 64 {
		return 0
	}
	return 1 << i
}
