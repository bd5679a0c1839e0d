package index

import (
	"context"

	segment "github.com/blevesearch/scorch_segment_api/v2"
)

// A cell is what a search has found about one document so far.
type cell struct {
	score   float64
	matched uint64
}

// scores adds up the scores of the documents of one segment, term after term.
// Between uses all cells are zero. One that a panic or an error leaves with
// other cells is thrown away.
type scores struct {
	cells   []cell
	touched []uint32 // the documents whose cells are not zero
	since   int      // postings read since ctx was looked at
}

// addSegment adds what the terms of q earn the documents of one segment.
func (s *scores) addSegment(ctx context.Context, q query, number int) error {
	if n := int(q.segments[number].FullSize()); n > len(s.cells) {
		s.cells = make([]cell, n)
	}
	titles, err := q.segments[number].Segment().Dictionary(titleField)
	if err != nil {
		return err
	}
	var it segment.PostingsIterator
	for i, t := range q.terms {
		list := q.lists[i][number]
		if t.Weight <= 0 || list.Count() == 0 {
			continue
		}
		worth := t.Weight * idf(q.df[i], q.docs)
		it = list.Iterator(true, true, false, it)
		if err := s.addText(ctx, it, worth, q.average, bit(i)); err != nil {
			return err
		}
		list, err := titles.PostingsList([]byte(t.Text), q.segments[number].Deleted(), nil)
		if err != nil {
			return err
		}
		if err := s.addTitles(ctx, list.Iterator(false, false, false, nil), worth); err != nil {
			return err
		}
	}
	return nil
}

func bit(i int) uint64 {
	if i >= 64 {
		return 0
	}
	return 1 << i
}

// addText adds BM25 of one term; worth is its weight times its IDF.
func (s *scores) addText(ctx context.Context, it segment.PostingsIterator, worth, average float64, bit uint64) error {
	top, flat, slope := worth*(k1+1), k1*(1-b), k1*b/average
	for {
		p, err := it.Next()
		if err != nil || p == nil {
			return err
		}
		if err := s.inTime(ctx); err != nil {
			return err
		}
		n, tf := p.Number(), float64(p.Frequency())
		c := &s.cells[n]
		if c.score == 0 {
			s.touched = append(s.touched, uint32(n))
		}
		c.score += top * tf / (tf + flat + slope*float64(length(p.Norm())))
		c.matched |= bit
	}
}

// addTitles adds the bonus of one term to the documents that have it in the
// title. They have it in the text too, or in the text it is a longer word
// that the title cut off.
func (s *scores) addTitles(ctx context.Context, it segment.PostingsIterator, worth float64) error {
	for {
		p, err := it.Next()
		if err != nil || p == nil {
			return err
		}
		if err := s.inTime(ctx); err != nil {
			return err
		}
		if c := &s.cells[p.Number()]; c.score != 0 {
			c.score += titleBonus * worth
		}
	}
}

func (s *scores) inTime(ctx context.Context) error {
	if s.since++; s.since < checkEvery {
		return nil
	}
	s.since = 0
	return ctx.Err()
}

// drain gives every document found to f and clears its cell.
func (s *scores) drain(f func(number uint32, c cell)) {
	for _, n := range s.touched {
		f(n, s.cells[n])
		s.cells[n] = cell{}
	}
	s.touched = s.touched[:0]
}
