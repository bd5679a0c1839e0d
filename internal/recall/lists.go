package recall

import (
	"cmp"
	"slices"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// Scope returns what reports whether a memory is where it is asked for, by
// somebody who stands in the project here.
func Scope(w api.Where, here memory.Project) func(*memory.Memory) bool {
	switch {
	case w.All:
		return func(*memory.Memory) bool { return true }
	case w.Project != "":
		return Filter{Project: w.Project}.admits
	}
	req := Request{Project: here}
	return req.holdsHere
}

// Newest keeps the newest of many memories.
type Newest struct {
	Seen int // memories that were added
	keep int
	kept []arrival
}

// An arrival is a memory and when it was added.
type arrival struct {
	memory memory.Memory
	number int
}

// NewNewest returns a Newest that keeps n memories, 1 or more.
func NewNewest(n int) *Newest { return &Newest{keep: n} }

// Add shows it a memory.
func (n *Newest) Add(m memory.Memory) {
	n.Seen++
	if n.kept = append(n.kept, arrival{m, n.Seen}); len(n.kept) >= 2*n.keep+100 {
		n.cut()
	}
}

// List returns those that were kept, the newest first. Of one moment, the one
// that was added later is newer.
func (n *Newest) List() []memory.Memory {
	n.cut()
	out := make([]memory.Memory, len(n.kept))
	for i := range n.kept {
		out[i] = n.kept[i].memory
	}
	return out
}

// cut lets go of what is too old.
func (n *Newest) cut() {
	slices.SortFunc(n.kept, func(a, b arrival) int {
		return cmp.Or(byTime(&a.memory, &b.memory), b.number-a.number)
	})
	n.kept = n.kept[:min(n.keep, len(n.kept))]
}
