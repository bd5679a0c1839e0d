package recall

import (
	"cmp"
	"slices"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// Scope returns a function that reports whether a memory is in w; here is the project of
// the user who asks.
func Scope(w api.Where, here memory.Project) func(*memory.Memory) bool {
	switch {
	case w.All:
		return func(*memory.Memory) bool { return true }
	case w.Project != "":
		return Filter{Project: w.Project}.admits
	}
	req := Request{Project: here}
	return req.applies
}

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
		return cmp.Or(byTime(&a.memory, &b.memory), b.number-a.number)
	})
	n.newest = n.newest[:min(n.limit, len(n.newest))]
}
