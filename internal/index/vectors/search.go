package vectors

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
)

const (
	// chunkRows is how many dot products are made at a time: few enough for
	// the processor's nearest cache.
	chunkRows = 512
	// deadlineRows is how many rows are read between looks at the deadline:
	// a tenth of a millisecond.
	deadlineRows = 4096
	// splitRows is from how many rows on two goroutines pay.
	splitRows = 200_000
)

// A Hit is a memory that is near a query.
type Hit struct {
	ID     string
	Cosine float64 // in [-1, 1]
}

// Search returns the limit memories whose vectors have the highest cosine with
// vector, best first, those that are equal by id; none for a vector of zeros.
// Where label is not 0, only memories that have it count, and those few whose
// label is the same by chance: the caller who minds looks again. Where admit
// is not nil, only memories that it takes count; it is asked for those alone
// that would be among the best so far, one at a time, and must not call f. It
// returns an error when vector has another length than the rows or is not
// finite, when ctx ends, and when f is closed or the file cannot be read: then
// it is begun anew, empty.
func (f *File) Search(ctx context.Context, vector []float32, label Label, limit int, admit func(id string) bool) ([]Hit, error) {
	q, err := newQuery(vector, f.dims)
	if err != nil {
		return nil, fmt.Errorf("search vectors %s: %w", f.dir, err)
	}
	if q.inverse == 0 || limit <= 0 {
		return nil, nil
	}
	g, hits, err := f.search(ctx, q, label, limit, admit)
	if errors.As(err, new(fault)) {
		f.reset(g, err)
	}
	if err != nil {
		return nil, fmt.Errorf("search vectors %s: %w", f.dir, err)
	}
	return hits, nil
}

func (f *File) search(ctx context.Context, q *query, label Label, limit int, admit func(id string) bool) (*generation, []Hit, error) {
	f.mu.RLock()
	defer f.mu.RUnlock()
	g := f.current
	if g == nil {
		return nil, nil, errClosed
	}
	hits, err := g.search(ctx, q, label, limit, admit)
	return g, hits, err
}

// reset begins an empty file in place of g, which proved damaged, unless that
// has been done.
func (f *File) reset(g *generation, cause error) {
	f.writing.Lock()
	defer f.writing.Unlock()
	if f.generation() != g {
		return
	}
	f.log.Warn("vectors set aside", keyFile, g.path, keyCause, cause)
	if err := f.replace(nil); err != nil {
		f.log.Warn("new vectors not begun", keyFile, g.path, keyCause, err)
	}
}

// search reads all rows, in two halves at once when there are many.
func (t *table) search(ctx context.Context, q *query, label Label, limit int, admit func(id string) bool) ([]Hit, error) {
	parts := 1
	if len(t.ids) > splitRows && runtime.GOMAXPROCS(0) > 1 {
		parts = 2
	}
	scans := make([]scan, parts)
	errs := make([]error, parts)
	var wg sync.WaitGroup
	var asking sync.Mutex
	for i := range scans {
		first, end := len(t.ids)*i/parts, len(t.ids)*(i+1)/parts
		scans[i] = scan{table: t, query: q, label: label, best: best{ids: t.ids, limit: limit}, admit: admit, asking: &asking}
		wg.Go(func() {
			errs[i] = guard(func() error { return scans[i].rows(ctx, first, end) })
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return nil, err
	}
	for i := range scans[1:] {
		scans[0].best.merge(&scans[i+1].best)
	}
	return scans[0].best.hits(q), nil
}

// A scan looks for the best of some rows.
type scan struct {
	*table
	query  *query
	label  Label // 0 for all
	best   best
	admit  func(id string) bool
	asking *sync.Mutex // held while admit is asked
	dots   [chunkRows]int32
}

// rows looks at the rows from first to before end.
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

// chunk looks at n rows that lie one after another.
func (s *scan) chunk(first int, data []byte, n int) {
	labels := s.labels[first : first+n]
	if s.label != 0 && !slices.ContainsFunc(labels, s.wanted) {
		return
	}
	out := s.dots[:n]
	dots(out, s.query.numbers, data)
	worst := s.best.worst()
	for i, inverse := range s.inverse[first : first+n] {
		score := score(out[i], inverse)
		if !(score >= worst) { // not below it, and no dead row
			continue
		}
		if s.label != 0 && !s.wanted(labels[i]) {
			continue
		}
		if s.take(candidate{score: score, row: int32(first + i)}) {
			worst = s.best.worst()
		}
	}
}

func (s *scan) wanted(l Labels) bool { return l[0] == s.label || l[1] == s.label }

// take puts c among the best if it is better and admitted.
func (s *scan) take(c candidate) bool {
	if !s.best.wants(c) {
		return false
	}
	if s.admit != nil && !s.admitted(s.ids[c.row]) {
		return false
	}
	s.best.add(c)
	return true
}

func (s *scan) admitted(id string) bool {
	s.asking.Lock()
	defer s.asking.Unlock()
	return s.admit(id)
}

// Cosines returns the cosine of vector with that of each of the memories ids,
// NaN for one that has none, or for all when vector cannot be compared.
func (f *File) Cosines(vector []float32, ids []string) []float64 {
	cosines := make([]float64, len(ids))
	for i := range cosines {
		cosines[i] = math.NaN()
	}
	q, err := newQuery(vector, f.dims)
	if err != nil {
		return cosines
	}
	var seen *generation
	f.view(func(g *generation) {
		seen = g
		err = guard(func() error { g.cosines(cosines, q, ids); return nil })
	})
	if err != nil {
		f.reset(seen, err)
	}
	return cosines
}

func (t *table) cosines(out []float64, q *query, ids []string) {
	var dot [1]int32
	for i, id := range ids {
		if row, ok := t.rowOf[id]; ok {
			dots(dot[:], q.numbers, t.vector(row))
			out[i] = q.cosine(score(dot[0], t.inverse[row]))
		}
	}
}

// Similarities returns the cosine of the memory id with each of the memories
// ids, NaN where either has no vector.
func (f *File) Similarities(id string, ids []string) []float64 {
	similarities := make([]float64, len(ids))
	for i := range similarities {
		similarities[i] = math.NaN()
	}
	var seen *generation
	var err error
	f.view(func(g *generation) {
		seen = g
		err = guard(func() error {
			if q, ok := g.query(id); ok {
				g.cosines(similarities, q, ids)
			}
			return nil
		})
	})
	if err != nil {
		f.reset(seen, err)
	}
	return similarities
}

// query makes a query of a row.
func (t *table) query(id string) (*query, bool) {
	row, ok := t.rowOf[id]
	if !ok {
		return nil, false
	}
	q := &query{inverse: t.inverse[row]}
	for _, n := range t.vector(row) {
		q.numbers = append(q.numbers, int16(int8(n)))
	}
	return q, true
}
