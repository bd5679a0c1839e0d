package index

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/blevesearch/bleve/v2/index/scorch"
	segment "github.com/blevesearch/scorch_segment_api/v2"
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

	// checkEvery is after how many postings a search looks whether its time
	// is up: some 0.1 ms.
	checkEvery = 4096

	// maxTies is how many documents of equal score compete for the last
	// places by their ids. Beyond it the order of the index decides.
	maxTies = 128
)

// MaxTermScore is what a term can add to a Score at most, for each unit of
// its weight times its IDF.
const MaxTermScore = k1 + 1 + titleBonus

// A Term is an analysed term to look for, with the factor on its score.
// Terms of weight 0 or less count for nothing.
type Term struct {
	Text   string
	Weight float64
}

// A Hit is a memory that holds at least one term. Score is the sum of BM25
// over the terms, each times its weight, and of the bonus for those in the
// title. Bit i of Matched is set when the memory holds the term number i of
// the search; terms from number 64 on have no bit.
type Hit struct {
	ID      string
	Score   float64
	Matched uint64
}

// Search returns the limit memories with the highest scores, best first,
// equal ones by id.
func (x *Index) Search(ctx context.Context, terms []Term, limit int) ([]Hit, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var hits []Hit
	err := x.read(ctx, func(_ *generation, snap *scorch.IndexSnapshot) error {
		q, err := newQuery(snap, terms)
		if err != nil || q.docs == 0 || limit <= 0 {
			return err
		}
		s := x.pool.Get().(*scores)
		best := ranking{limit: limit}
		for i, seg := range q.segments {
			if err := s.addSegment(ctx, q, i); err != nil {
				return err
			}
			s.drain(func(number uint32, c cell) { best.offer(seg, number, c) })
		}
		x.pool.Put(s)
		hits, err = best.hits()
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("search index %s: %w", x.dir, err)
	}
	return hits, nil
}

// Frequencies returns the number of memories that hold each term, and the
// number of all memories.
func (x *Index) Frequencies(terms []string) (df []int, docs int, err error) {
	err = x.read(context.Background(), func(_ *generation, snap *scorch.IndexSnapshot) error {
		wanted := make([]Term, len(terms))
		for i, t := range terms {
			wanted[i].Text = t
		}
		q, err := newQuery(snap, wanted)
		df, docs = q.df, q.docs
		return err
	})
	if err != nil {
		return nil, 0, fmt.Errorf("read term frequencies of index %s: %w", x.dir, err)
	}
	return df, docs, nil
}

// A query is a search against one snapshot.
type query struct {
	terms    []Term
	segments []*scorch.SegmentSnapshot
	lists    [][]segment.PostingsList // by term and segment, of the text
	df       []int
	docs     int
	average  float64 // length of a document
}

func newQuery(snap *scorch.IndexSnapshot, terms []Term) (query, error) {
	q := query{terms: terms, segments: snap.Segments(), lists: make([][]segment.PostingsList, len(terms)), df: make([]int, len(terms))}
	t, err := readTotals(snap)
	if err != nil {
		return q, err
	}
	q.docs, q.average = int(t.docs), max(1, float64(t.tokens)/float64(max(1, t.docs)))
	for _, seg := range q.segments {
		dict, err := seg.Segment().Dictionary(textField)
		if err != nil {
			return q, err
		}
		for i, term := range terms {
			list, err := dict.PostingsList([]byte(term.Text), seg.Deleted(), nil)
			if err != nil {
				return q, err
			}
			q.lists[i] = append(q.lists[i], list)
			q.df[i] += int(list.Count())
		}
	}
	return q, nil
}

// idf is the inverse document frequency of BM25, in the form that is never
// negative.
func idf(df, docs int) float64 {
	return math.Log(1 + (float64(docs-df)+0.5)/(float64(df)+0.5))
}

// postings returns the documents of a segment that hold a term, deleted ones
// included.
func postings(seg *scorch.SegmentSnapshot, field, term string) (segment.PostingsList, error) {
	dict, err := seg.Segment().Dictionary(field)
	if err != nil {
		return nil, err
	}
	return dict.PostingsList([]byte(term), nil, nil)
}

// A ranking keeps the best documents offered to it. Offers gather in a buffer
// that is sorted and cut when full, which few documents of a search ever
// cause: the bound rises.
type ranking struct {
	limit int
	found []candidate
	bound float64 // what a document must reach to be among the best
}

type candidate struct {
	seg    *scorch.SegmentSnapshot
	number uint32
	cell
}

func (r *ranking) offer(seg *scorch.SegmentSnapshot, number uint32, c cell) {
	if c.score < r.bound {
		return
	}
	r.found = append(r.found, candidate{seg, number, c})
	if len(r.found) >= 2*r.limit+2*maxTies {
		r.cut()
	}
}

// cut leaves the best documents and those that tie with the last of them.
func (r *ranking) cut() {
	slices.SortFunc(r.found, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
	if len(r.found) <= r.limit {
		return
	}
	r.bound = r.found[r.limit-1].score
	end := r.limit
	for end < len(r.found) && end < r.limit+maxTies && r.found[end].score == r.bound {
		end++
	}
	r.found = r.found[:end]
}

// hits returns the best documents under their own ids.
func (r *ranking) hits() ([]Hit, error) {
	r.cut()
	var hits []Hit
	for _, c := range r.found {
		id, err := c.seg.DocID(uint64(c.number))
		if err != nil {
			return nil, err
		}
		hits = append(hits, Hit{string(id), c.score, c.matched})
	}
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.ID, b.ID))
	})
	return hits[:min(r.limit, len(hits))], nil
}
