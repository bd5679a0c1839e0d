package index

import (
	"context"
	"math/bits"
	"slices"
	"sort"
)

// seekCost is the number of postings that a scan reads in the time of one look-up.
const seekCost = 8

// roundingMargin is a factor on bounds, so that rounding errors never make their sums too small.
const roundingMargin = 1 + 1e-12

// A scan scores documents, segment by segment, using the terms with the highest bounds first. A run adds
// at most its bound to the order of a document. Once enough good documents are known, a document that
// contains only terms with small bounds cannot be among the best. From then on such terms are no longer
// scanned completely, but only looked up in documents that other terms found.
type scan struct {
	clauses     []clause // the highest bound first
	flat, slope float64  // constant and factor of the length in BM25's denominator
	best        ranking
	also        []candidate // documents of Query.Also

	part     *part
	runs     []run
	rest     []float64 // rest[i] is the most that runs[i:] can add
	admitted []uint64  // a bit for each document that passes the filter; nil if all do
	*window
}

// A window has the cells of the documents that are being scored, and buffers for the documents found.
// Between uses all cells are zero. After a panic or an error the window is not used again.
type window struct {
	cells   [windowSize]cell
	touched [windowSize / 64]uint64 // a bit for each cell that is not zero

	found, also []candidate
}

// reclaim takes the buffers back from a scan and clears them, so that they refer to nothing.
func (w *window) reclaim(found, also []candidate) {
	w.found, w.also = found[:cap(found)], also[:cap(also)]
	clear(w.found)
	clear(w.also)
}

// A run is a position in the postings of one clause. It advances from window to window.
type run struct {
	*clause
	list []posting
	at   int
}

// search scores the documents of one part of r.
func (s *scan) search(ctx context.Context, r *reader, number int, q Query) (err error) {
	s.part = r.parts[number]
	if s.admitted, err = r.admitted(number, q.Filter); err != nil {
		return err
	}
	s.startRuns(number)
	if err := s.addAlso(q.Also); err != nil {
		return err
	}
	for {
		essential := s.essential()
		base, ok := s.next(essential)
		if !ok {
			return nil
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		followed := essential
		for i := range s.runs[:essential] {
			s.follow(&s.runs[i], base)
		}
		if s.scanIsCheaper(essential) {
			for i := essential; i < len(s.runs); i++ {
				s.runs[i].seek(base)
				s.follow(&s.runs[i], base)
			}
			followed = len(s.runs)
		}
		s.passOn(base, followed)
	}
}

// startRuns sets up the runs through a part.
func (s *scan) startRuns(number int) {
	s.runs = s.runs[:0]
	for i := range s.clauses {
		c := &s.clauses[i]
		if list := c.parts[number].postings; len(list) > 0 {
			s.runs = append(s.runs, run{clause: c, list: list})
		}
	}
	s.rest = slices.Grow(s.rest[:0], len(s.runs)+1)[:len(s.runs)+1]
	s.rest[len(s.runs)] = 0
	for i, r := range slices.Backward(s.runs) {
		s.rest[i] = s.rest[i+1] + r.bound*roundingMargin
	}
}

// essential returns how many runs must be scanned. A document that only occurs in the others cannot be
// one of the best.
func (s *scan) essential() int {
	n := len(s.runs)
	for n > 0 && s.rest[n-1] < s.best.bound {
		n--
	}
	return n
}

// scanIsCheaper reports whether it costs less to scan the runs from essential on through the window than
// to look them up in every document found there.
func (s *scan) scanIsCheaper(essential int) bool {
	found, postings := 0, 0
	for _, touched := range s.touched {
		found += bits.OnesCount64(touched)
	}
	for _, r := range s.runs[essential:] {
		postings += len(r.list)
	}
	return found*(len(s.runs)-essential)*seekCost > postings*windowSize/len(s.part.lengths)
}

// next returns where the next window begins.
func (s *scan) next(essential int) (base int, ok bool) {
	for _, r := range s.runs[:essential] {
		if r.at < len(r.list) && (!ok || r.list[r.at].doc() < base) {
			base, ok = r.list[r.at].doc(), true
		}
	}
	return base &^ 63, ok
}

// follow adds the scores of a run to the documents of the window at base.
func (s *scan) follow(r *run, base int) {
	end := posting(base+windowSize) << frequencyBits
	for ; r.at < len(r.list) && r.list[r.at] < end; r.at++ {
		found := r.list[r.at]
		n := found.doc() - base
		s.touched[n/64] |= 1 << (n % 64)
		s.addScore(&s.cells[n], r.clause, found)
	}
}

// addScore adds the score of a posting of a clause to a cell.
func (s *scan) addScore(c *cell, from *clause, found posting) {
	if from.title {
		c.title += from.factor
		return
	}
	tf := found.frequency()
	c.score += from.factor * (k1 + 1) * tf / (tf + s.flat + s.slope*float64(s.part.lengths[found.doc()]))
	c.matched |= from.bit
}

// passOn passes the documents of the window at base that can still be among the best to scoreRest, and
// clears the window.
func (s *scan) passOn(base, followed int) {
	for w, touched := range s.touched {
		for ; touched != 0; touched &= touched - 1 {
			n := w*64 + bits.TrailingZeros64(touched)
			c := &s.cells[n]
			if c.order()+s.rest[followed] >= s.best.bound && s.admits(base+n) {
				s.scoreRest(candidate{part: s.part, number: base + n, cell: *c}, followed)
			}
			*c = cell{}
		}
		s.touched[w] = 0
	}
}

// scoreRest adds the scores of the other runs to a document, while it can still become one of the best,
// and adds the document to the ranking.
func (s *scan) scoreRest(c candidate, followed int) {
	for i := followed; i < len(s.runs); i++ {
		if c.cell.order()+s.rest[i] < s.best.bound {
			return
		}
		if r := &s.runs[i]; r.seek(c.number) {
			s.addScore(&c.cell, r.clause, r.list[r.at])
		}
	}
	c.order = c.cell.order()
	s.best.add(c)
}

// seek advances a run to a document and reports whether the run contains it.
func (r *run) seek(number int) bool {
	want := posting(number) << frequencyBits
	step := 1
	for r.at+step < len(r.list) && r.list[r.at+step] < want {
		r.at += step
		step *= 2
	}
	ahead := r.list[r.at:min(r.at+step+1, len(r.list))]
	r.at += sort.Search(len(ahead), func(i int) bool { return ahead[i] >= want })
	return r.at < len(r.list) && r.list[r.at].doc() == number
}

// addAlso scores the documents of the segment with these ids. It adds up in the same order as the scan,
// so that the sums are exactly equal.
func (s *scan) addAlso(ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	numbers, err := s.part.DocNumbers(ids)
	if err != nil {
		return err
	}
	for it := numbers.Iterator(); it.HasNext(); {
		c := candidate{part: s.part, number: int(it.Next())}
		if !s.admits(c.number) {
			continue
		}
		for i := range s.runs {
			r := s.runs[i] // a copy, so that the run itself stays at the beginning
			if r.seek(c.number) {
				s.addScore(&c.cell, r.clause, r.list[r.at])
			}
		}
		s.also = append(s.also, c)
	}
	return nil
}

func (s *scan) admits(number int) bool {
	return s.admitted == nil || s.admitted[number/64]&(1<<(number%64)) != 0
}

// admitted returns a bit for each document of a part that is not deleted and passes f, or nil if all do.
func (r *reader) admitted(number int, f Filter) ([]uint64, error) {
	p := r.parts[number]
	if f.all() && p.deleted == 0 {
		return nil, nil
	}
	set := slices.Repeat([]uint64{^uint64(0)}, int(p.FullSize()/64+1))
	if len(f.Projects) > 0 {
		if err := r.narrow(set, number, projectField, f.Projects...); err != nil {
			return nil, err
		}
	}
	if len(f.Sources) > 0 {
		names := make([]string, len(f.Sources))
		for i, src := range f.Sources {
			names[i] = string(src)
		}
		if err := r.narrow(set, number, sourceField, names...); err != nil {
			return nil, err
		}
	}
	if p.deleted > 0 {
		for it := p.Deleted().Iterator(); it.HasNext(); {
			n := it.Next()
			set[n/64] &^= 1 << (n % 64)
		}
	}
	return set, nil
}

// narrow removes the documents of a part from set that have none of the terms in a field.
func (r *reader) narrow(set []uint64, number int, field string, terms ...string) error {
	had := make([]uint64, len(set))
	for _, term := range terms {
		known, err := r.term(field, term, true)
		if err != nil {
			return err
		}
		for _, found := range known[number].postings {
			had[found.doc()/64] |= 1 << (found.doc() % 64)
		}
	}
	for i := range set {
		set[i] &= had[i]
	}
	return nil
}
