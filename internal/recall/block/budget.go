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

// A Part is what one memory contributes to an entry.
type Part struct {
	Source memory.Source
	Text   string
}

// Spend takes the cost of an entry from the budget, if it has that much.
func (b *Budget) Spend(source memory.Source, entry string) bool {
	return b.SpendAll([]Part{{source, entry}})
}

// Extend takes the cost of more text of an entry that was paid for, if the budget has that much.
func (b *Budget) Extend(source memory.Source, more string) bool {
	b.entries++ // it is no entry of its own
	if b.Spend(source, more) {
		return true
	}
	b.entries--
	return false
}

// SpendAll takes the cost of an entry from the budget, if it has that much for
// each source. The parts follow each other without anything in between.
func (b *Budget) SpendAll(parts []Part) bool {
	sources := map[memory.Source]int{}
	t, u := 0, 1 // the line break behind the entry
	for _, p := range parts {
		sources[p.Source] += Tokens(p.Text + "\n")
		t, u = t+Tokens(p.Text+"\n"), u+Units(p.Text)
	}
	if b.entries < 1 || t > b.tokens || u > b.units {
		return false
	}
	for source, n := range sources {
		if n > b.sources[source] {
			return false
		}
	}
	b.entries--
	b.tokens -= t
	b.units -= u
	for source, n := range sources {
		b.sources[source] -= n
	}
	return true
}
