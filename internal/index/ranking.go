package index

import (
	"cmp"
	"math"
	"slices"
)

// maxTies is the number of documents of equal score that compete by their ids for the last places. The
// order of the index decides among further ones.
const maxTies = 128

// A ranking selects the best of the documents that are added to it. It collects them in a buffer, which
// it sorts and cuts when it is full. This happens rarely, because each cut raises the bound that later
// documents must reach.
type ranking struct {
	limit int
	found []candidate
	bound float64 // the order that a document must reach to be among the best
}

// A candidate is a document of a part, with the scores that a search has found so far.
type candidate struct {
	part   *part
	number int
	order  float64
	cell
}

// newRanking returns a ranking of the best limit documents, collected in buffer.
func newRanking(limit int, buffer []candidate) ranking {
	r := ranking{limit: max(0, limit), found: buffer[:0]}
	if limit <= 0 {
		r.bound = math.Inf(1)
	}
	return r
}

// bufferSize is the number of documents at which the buffer is cut.
func (r *ranking) bufferSize() int { return 2*r.limit + 2*maxTies }

func (r *ranking) add(c candidate) {
	if c.order < r.bound {
		return
	}
	r.found = append(r.found, c)
	if len(r.found) >= r.bufferSize() {
		r.cut()
	}
}

// cut removes all but the best documents and those that tie with the last of them.
func (r *ranking) cut() {
	slices.SortFunc(r.found, func(a, b candidate) int { return cmp.Compare(b.order, a.order) })
	if len(r.found) <= r.limit {
		return
	}
	r.bound = r.found[r.limit-1].order
	end := r.limit
	for end < len(r.found) && end < r.limit+maxTies && r.found[end].order == r.bound {
		end++
	}
	r.found = r.found[:end]
}

// top returns the best documents, best first, and those that tie with the last of them.
func (r *ranking) top() []candidate {
	r.cut()
	return r.found
}
