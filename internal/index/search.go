package index

import (
	"cmp"
	"context"
	"fmt"
	"math/bits"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"

	"recollect/internal/memory"
)

// A Hit is a memory that a search found, with its scores.
type Hit struct {
	ID      string
	Score   float64 // sum over the terms of weight times BM25
	Title   float64 // sum over the terms in the title of weight times IDF
	Pairs   float64 // sum over the pairs in the text of weight times the IDF of the rarer term
	Length  int     // tokens of the text
	Matched uint64  // bit i is set if the text holds term i of the query; terms from 64 on have no bit
}

// Order returns the value by which hits are ordered: Score plus a bonus for
// terms in the title and for pairs.
func (h *Hit) Order() float64 {
	c := cell{score: h.Score, title: h.Title, pairs: h.Pairs}
	return c.order()
}

// Search returns the best limit memories that contain at least one term of q, and half as many of q.Own,
// by descending Order and then by id. The memories in q.Also follow that are not among them, whatever
// their scores, unless the filter excludes them or they are not in the index. Search looks for pairs in
// the best 1.5 * limit memories by terms and title.
func (x *Index) Search(ctx context.Context, q Query, limit int) ([]Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var hits []Hit
	err := x.read(ctx, func(g *generation, snap *scorch.IndexSnapshot) error {
		r, err := newReader(g.caches, snap)
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

// search answers q in three steps: it finds the best memories by terms and
// title, looks up which pairs they contain, and returns the best by all three.
func (x *Index) search(ctx context.Context, r *reader, q Query, limit int) ([]Hit, error) {
	if err := r.readLengths(); err != nil {
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
	best, also, err := x.scan(ctx, r, q, clauses, pairs, limit)
	if err != nil {
		return nil, err
	}
	more := limit > 0 && len(best) == limit
	if more && !q.Own.Zero() && len(q.Filter.Projects) == 0 {
		q.Filter.Projects, q.Also = heldIn(q.Own), nil
		own, _, err := x.scan(ctx, r, q, clauses, pairs, limit-limit/2)
		if err != nil {
			return nil, err
		}
		best = append(best, without(own, best)...)
		slices.SortFunc(best, compareHits)
	}
	return append(best, without(also, best)...), nil
}

// scan returns the best documents, at most limit, and those of q.Also, with their scores for pairs.
func (x *Index) scan(ctx context.Context, r *reader, q Query, clauses []clause, pairs neighbourhood, limit int) (best, also []Hit, err error) {
	w := x.pool.Get().(*window)
	s := scan{
		clauses: clauses,
		flat:    k1 * (1 - b),
		slope:   k1 * b / r.average,
		best:    newRanking(pairs.candidateLimit(limit), w.found),
		also:    w.also[:0],
		window:  w,
	}
	for i := range r.parts {
		if err := s.search(ctx, r, i, q); err != nil {
			return nil, nil, err
		}
	}
	if best, err = namedHits(s.best.top(), pairs); err != nil {
		return nil, nil, err
	}
	if also, err = namedHits(s.also, pairs); err != nil {
		return nil, nil, err
	}
	w.reclaim(s.best.found, s.also)
	x.pool.Put(w)
	return best[:min(max(limit, 0), len(best))], also, nil
}

// without removes the hits that are among known.
func without(hits, known []Hit) []Hit {
	ids := make(map[string]bool, len(known))
	for i := range known {
		ids[known[i].ID] = true
	}
	return slices.DeleteFunc(hits, func(h Hit) bool { return ids[h.ID] })
}

// namedHits adds the scores for pairs to candidates and returns them with their ids, best first.
func namedHits(candidates []candidate, pairs neighbourhood) ([]Hit, error) {
	hits := make([]Hit, 0, len(candidates))
	for _, c := range candidates {
		if err := pairs.scorePairs(&c); err != nil {
			return nil, err
		}
		id, err := c.part.DocID(uint64(c.number))
		if err != nil {
			return nil, err
		}
		hits = append(hits, Hit{string(id), c.score, c.title, c.pairs, int(c.part.lengths[c.number]), c.matched})
	}
	slices.SortFunc(hits, compareHits)
	return hits, nil
}

// compareHits returns a negative number when a comes before b.
func compareHits(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Order(), a.Order()), cmp.Compare(a.ID, b.ID))
}

// HeldIn returns the number of memories that hold in a project, including those that hold in every
// project.
func (x *Index) HeldIn(ctx context.Context, p memory.Project) (n int, err error) {
	err = x.read(ctx, func(g *generation, snap *scorch.IndexSnapshot) error {
		r, err := newReader(g.caches, snap)
		if err != nil {
			return err
		}
		for i := range r.parts {
			set, err := r.admitted(i, Filter{Projects: heldIn(p)})
			if err != nil {
				return err
			}
			for _, word := range set {
				n += bits.OnesCount64(word)
			}
		}
		return nil
	})
	if err != nil {
		return 0, fmt.Errorf("count memories of a project in index %s: %w", x.dir, err)
	}
	return n, nil
}

// Frequencies returns the number of memories that contain each term, and the
// number of all memories.
func (x *Index) Frequencies(terms []string) (df []int, docs int, err error) {
	err = x.read(context.Background(), func(g *generation, snap *scorch.IndexSnapshot) error {
		r, err := newReader(g.caches, snap)
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
