// Package lists lists memories for people: the newest of a source, and the
// graph of what several of them share. It reads all there are, so no prompt
// waits for it.
package lists

import (
	"cmp"
	"slices"

	"recollect/internal/memory"
)

// Newest collects the newest of many memories.
type Newest struct {
	Seen   int // memories that were added
	limit  int
	newest []arrival
}

// An arrival is a memory and when it was added.
type arrival struct {
	memory memory.Memory
	number int
}

// NewNewest returns a Newest that holds n memories, 1 or more.
func NewNewest(n int) *Newest { return &Newest{limit: n} }

// Add adds a memory.
func (n *Newest) Add(m memory.Memory) {
	n.Seen++
	if n.newest = append(n.newest, arrival{m, n.Seen}); len(n.newest) >= 2*n.limit+100 {
		n.cut()
	}
}

// List returns the newest memories, the newest first. Of two of the same time, the one that
// was added later is newer.
func (n *Newest) List() []memory.Memory {
	n.cut()
	out := make([]memory.Memory, len(n.newest))
	for i := range n.newest {
		out[i] = n.newest[i].memory
	}
	return out
}

// cut drops memories above the limit.
func (n *Newest) cut() {
	slices.SortFunc(n.newest, func(a, b arrival) int {
		return cmp.Or(b.memory.When().Compare(a.memory.When()), b.number-a.number)
	})
	n.newest = n.newest[:min(n.limit, len(n.newest))]
}
