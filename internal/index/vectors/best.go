package vectors

import (
	"cmp"
	"math"
	"slices"

	"recollect/internal/memory/compactid"
)

// A candidate is a row with its score.
type candidate struct {
	score float64
	row   int32
}

// A best collects at most limit candidates, the best ones, in a heap whose root is the worst of them.
// container/heap would add half to the time of a search in 1,000 rows.
type best struct {
	ids   *compactid.List // ids of the rows
	limit int
	heap  []candidate
}

// compare returns a negative number when x ranks before y.
func (b *best) compare(x, y candidate) int {
	if c := cmp.Compare(y.score, x.score); c != 0 {
		return c
	}
	return b.ids.Compare(int(x.row), int(y.row))
}

// worst returns the score that a candidate must reach to be added.
func (b *best) worst() float64 {
	if len(b.heap) < b.limit {
		return math.Inf(-1)
	}
	return b.heap[0].score
}

func (b *best) wants(c candidate) bool {
	return len(b.heap) < b.limit || b.compare(c, b.heap[0]) < 0
}

// add adds c, which b must want. If b is full, c replaces the worst candidate.
func (b *best) add(c candidate) {
	if len(b.heap) < b.limit {
		b.heap = append(b.heap, c)
		b.up(len(b.heap) - 1)
		return
	}
	b.heap[0] = c
	b.down(0)
}

func (b *best) up(i int) {
	for i > 0 {
		parent := (i - 1) / 2
		if b.compare(b.heap[i], b.heap[parent]) <= 0 {
			return
		}
		b.heap[i], b.heap[parent] = b.heap[parent], b.heap[i]
		i = parent
	}
}

func (b *best) down(i int) {
	for {
		child := 2*i + 1
		if child >= len(b.heap) {
			return
		}
		if right := child + 1; right < len(b.heap) && b.compare(b.heap[right], b.heap[child]) > 0 {
			child = right
		}
		if b.compare(b.heap[child], b.heap[i]) <= 0 {
			return
		}
		b.heap[i], b.heap[child] = b.heap[child], b.heap[i]
		i = child
	}
}

func (b *best) merge(other *best) {
	for _, c := range other.heap {
		if b.wants(c) {
			b.add(c)
		}
	}
}

// hits returns the candidates as hits, best first. It destroys the heap.
func (b *best) hits(q *query) []Hit {
	slices.SortFunc(b.heap, b.compare)
	hits := make([]Hit, len(b.heap))
	for i, c := range b.heap {
		hits[i] = Hit{ID: b.ids.At(int(c.row)), Cosine: q.cosine(c.score)}
	}
	return hits
}
