package block

import "recollect/internal/memory"

// A Budget is what a block may still hold. Every entry is charged to it.
type Budget struct {
	entries int
	tokens  int
	units   int
	sources map[memory.Source]int // tokens
}

// NewBudget returns the budget of a block of so many entries and tokens, of
// which each source may have as many as sources says, less the cost of the frame.
func NewBudget(entries, tokens int, sources map[memory.Source]int) Budget {
	cost := frameUnits(entries)
	return Budget{entries: entries, tokens: tokens - tokensOf(cost), units: MaxUnits - cost, sources: sources}
}

// Spend takes the cost of an entry from the budget, if it has that much.
func (b *Budget) Spend(source memory.Source, entry string) bool {
	line := entry + "\n"
	t, u := Tokens(line), Units(line)
	if b.entries < 1 || t > b.tokens || u > b.units || t > b.sources[source] {
		return false
	}
	b.entries--
	b.tokens -= t
	b.units -= u
	b.sources[source] -= t
	return true
}
