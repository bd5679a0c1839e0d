package vectors

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"

	"recollect/internal/index/dot"
	"recollect/internal/system/crash"
	"recollect/internal/system/logkey"
)

const (
	// chunkRows is the number of dot products computed at a time. It is small enough for the processor's
	// first-level cache.
	chunkRows = 512
	// deadlineRows is the number of rows read between two checks of the deadline, a tenth of a
	// millisecond.
	deadlineRows = 4096
	// splitRows is the number of rows above which two goroutines are faster than one.
	splitRows = 200_000
)

// A Hit is a memory whose vector is similar to a query.
type Hit struct {
	ID     string
	Cosine float64 // in [-1, 1]
}

// A Query describes a search.
type Query struct {
	Vector []float32
	Limit  int
	Label  Label                // only rows with this label; 0 for all rows
	Own    Labels               // the best rows with one of these labels or none are also found; zero for no such search
	Admit  func(id string) bool // only memories for which it returns true; nil for all
}

// Found is the result of a search.
type Found struct {
	Hits   []Hit  // best first, and then by id
	Own    []Hit  // the best own rows that are not in Hits
	Spread Spread // distribution of the cosines with all rows that have the label
}

// A Spread describes the distribution of the cosines of a query with rows.
type Spread struct {
	Rows            int
	Mean, Deviation float64
}

// Search returns the q.Limit memories whose vectors have the highest cosine with q.Vector, and half as
// many of q.Own. It returns none for a vector of zeros. The result may contain a few memories whose label
// is equal by chance, so callers may have to check. Search calls q.Admit only for memories that would be
// among the best so far, one at a time; Admit must not call f. Search returns an error if the vector has
// a different length than the rows or is not finite, if ctx ends, if f is closed, and if the file cannot
// be read. In the last case an empty file replaces it.
func (f *File) Search(ctx context.Context, q Query) (Found, error) {
	prepared, err := newQuery(q.Vector, f.dims)
	if err != nil {
		return Found{}, fmt.Errorf("search vectors %s: %w", f.dir, err)
	}
	if prepared.inverse == 0 || q.Limit <= 0 {
		return Found{}, nil
	}
	g, found, err := f.search(ctx, prepared, q)
	if errors.As(err, new(fault)) {
		f.reset(g, err)
	}
	if err != nil {
		return Found{}, fmt.Errorf("search vectors %s: %w", f.dir, err)
	}
	return found, nil
}

func (f *File) search(ctx context.Context, prepared *query, q Query) (*generation, Found, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	g := f.current
	if g == nil {
		return nil, Found{}, errClosed
	}
	all, err := g.search(ctx, prepared, q)
	if err != nil {
		return g, Found{}, err
	}
	return g, all.found(), nil
}

// reset replaces the damaged generation g by an empty file, unless this has already been done.
func (f *File) reset(g *generation, cause error) {
	f.writing.Lock()
	defer f.writing.Unlock()
	if f.generation() != g {
		return
	}
	f.log.Warn("vectors unusable, starting a new file", logkey.File, g.path, logkey.Cause, cause)
	if err := f.replace(nil); err != nil {
		f.log.Warn("new file of vectors not created", logkey.File, g.path, logkey.Cause, err)
	}
}

// search compares q with all rows, in two concurrent halves if there are many.
func (t *table) search(ctx context.Context, prepared *query, q Query) (*scan, error) {
	parts := 1
	if t.ids.Len() > splitRows && runtime.GOMAXPROCS(0) > 1 {
		parts = 2
	}
	scans := make([]scan, parts)
	errs := make([]error, parts)
	var wg sync.WaitGroup
	var admitting sync.Mutex
	for i := range scans {
		first, end := t.ids.Len()*i/parts, t.ids.Len()*(i+1)/parts
		scans[i] = scan{
			table: t, Query: q, query: prepared, admitting: &admitting,
			best: best{ids: &t.ids, limit: q.Limit},
			own:  best{ids: &t.ids, limit: q.Limit - q.Limit/2},
		}
		wg.Go(func() {
			errs[i] = crash.Catch(func() error {
				return guard(func() error { return scans[i].rows(ctx, first, end) })
			})
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for i := range scans[1:] {
		scans[0].merge(&scans[i+1])
	}
	return &scans[0], nil
}

// A scan finds the best of some rows.
type scan struct {
	*table
	Query
	query     *query
	best      best
	own       best        // the best own rows
	admitting *sync.Mutex // held while Admit is called
	dots      [chunkRows]int32

	compared     int // number of rows
	sum, squares float64
}

// merge adds the results of another scan.
func (s *scan) merge(other *scan) {
	s.best.merge(&other.best)
	s.own.merge(&other.own)
	s.compared, s.sum, s.squares = s.compared+other.compared, s.sum+other.sum, s.squares+other.squares
}

// found returns the result. The scan cannot be used afterwards.
func (s *scan) found() Found {
	hits := s.best.hits(s.query)
	known := make(map[string]bool, len(hits))
	for _, h := range hits {
		known[h.ID] = true
	}
	own := slices.DeleteFunc(s.own.hits(s.query), func(h Hit) bool { return known[h.ID] })
	return Found{hits, own, s.spread()}
}

// spread returns the spread of the cosines with the compared rows.
func (s *scan) spread() Spread {
	if s.compared == 0 {
		return Spread{}
	}
	n := float64(s.compared)
	mean := s.sum / n
	deviation := math.Sqrt(max(0, s.squares/n-mean*mean))
	inverse := float64(s.query.inverse)
	return Spread{s.compared, mean * inverse, deviation * inverse}
}

// rows scans the rows from first up to, but not including, end.
func (s *scan) rows(ctx context.Context, first, end int) error {
	unchecked := deadlineRows
	i, _ := slices.BinarySearchFunc(s.blocks, first, func(b block, row int) int { return b.first + len(b.data)/s.stride - 1 - row })
	for first < end {
		if unchecked >= deadlineRows {
			unchecked = 0
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		b := &s.blocks[i]
		at := (first - b.first) * s.stride
		n := min(chunkRows, end-first, (len(b.data)-at)/s.stride)
		s.chunk(first, b.data[at:at+n*s.stride], n)
		unchecked += n
		if first += n; at+n*s.stride == len(b.data) {
			i++
		}
	}
	return nil
}

// chunk scans n consecutive rows.
func (s *scan) chunk(first int, data []byte, n int) {
	labels := s.labels[first : first+n]
	if s.Label != 0 && !slices.ContainsFunc(labels, s.wanted) {
		return
	}
	out := s.dots[:n]
	dot.Products(out, s.query.numbers, data)
	worst, worstOwn := s.best.worst(), s.own.worst()
	for i, inverse := range s.inverse[first : first+n] {
		score := score(out[i], inverse)
		if math.IsNaN(score) || s.Label != 0 && !s.wanted(labels[i]) { // NaN for a dead row
			continue
		}
		s.compared, s.sum, s.squares = s.compared+1, s.sum+score, s.squares+score*score
		c := candidate{score: score, row: int32(first + i)}
		if score >= worst && s.addAdmitted(&s.best, c) {
			worst = s.best.worst()
		}
		if score >= worstOwn && s.isOwn(labels[i]) && s.addAdmitted(&s.own, c) {
			worstOwn = s.own.worst()
		}
	}
}

func (s *scan) wanted(l Labels) bool { return l.have(s.Label) }

func (s *scan) isOwn(l Labels) bool {
	if s.Own == (Labels{}) {
		return false
	}
	return l == Labels{} || l.have(s.Own[0]) || l.have(s.Own[1])
}

// addAdmitted adds c to best if it is good enough and admitted.
func (s *scan) addAdmitted(best *best, c candidate) bool {
	if !best.wants(c) {
		return false
	}
	if s.Admit != nil && !s.admitted(s.ids.At(int(c.row))) {
		return false
	}
	best.add(c)
	return true
}

func (s *scan) admitted(id string) bool {
	s.admitting.Lock()
	defer s.admitting.Unlock()
	return s.Admit(id)
}

// Cosines returns the cosine of vector with the vector of each of the memories ids. It is NaN for a
// memory without a vector, and for all of them if vector has another length than the rows or is not
// finite.
func (f *File) Cosines(vector []float32, ids []string) []float64 {
	return f.cosines(ids, func(*generation) (*query, bool) {
		q, err := newQuery(vector, f.dims)
		return q, err == nil
	})
}

// Similarities returns the cosine between the memory id and each of the memories
// ids. It is NaN where either has no vector.
func (f *File) Similarities(id string, ids []string) []float64 {
	return f.cosines(ids, func(g *generation) (*query, bool) { return g.query(id) })
}

// cosines returns the cosine of a query with each of the memories ids, and NaN
// where there is none. An unreadable file is replaced by an empty one.
func (f *File) cosines(ids []string, queryOf func(*generation) (*query, bool)) []float64 {
	cosines := slices.Repeat([]float64{math.NaN()}, len(ids))
	var seen *generation
	var err error
	f.view(func(g *generation) {
		seen = g
		err = guard(func() error {
			if q, ok := queryOf(g); ok {
				g.cosines(cosines, q, ids)
			}
			return nil
		})
	})
	if err != nil {
		f.reset(seen, err)
	}
	return cosines
}

func (t *table) cosines(out []float64, q *query, ids []string) {
	var product [1]int32
	for i, id := range ids {
		if row, ok := t.row(id); ok {
			dot.Products(product[:], q.numbers, t.vector(row))
			out[i] = q.cosine(score(product[0], t.inverse[row]))
		}
	}
}

// query returns the vector of the memory id as a query.
func (t *table) query(id string) (*query, bool) {
	row, ok := t.row(id)
	if !ok {
		return nil, false
	}
	q := &query{inverse: t.inverse[row]}
	for _, n := range t.vector(row) {
		q.numbers = append(q.numbers, int16(int8(n)))
	}
	return q, true
}
