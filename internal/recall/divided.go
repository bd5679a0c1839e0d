package recall

import (
	"hash/maphash"
	"sync/atomic"

	"recollect/internal/memory"
	"recollect/internal/recall/sessions"
	"recollect/internal/recall/statement"
)

// keptDivided is how many memories' statements are held, some kilobytes each: prompts find the same memories again.
const keptDivided = 1024

var dividedSeed = maphash.MakeSeed()

// A dividedCache holds the statements of the memories that were divided last. The zero value is empty. It is safe for
// concurrent use.
type dividedCache [keptDivided]atomic.Pointer[divided]

// A divided is a memory as its statements.
type divided struct {
	id   string
	line [2]int64 // of the store, at which the memory stands
	all  []part
}

// A part is a statement of a memory, with its terms.
type part struct {
	statement.Statement
	terms *sessions.Text
}

// of returns the statements of a memory that stands at a line of the store.
func (d *dividedCache) of(m *memory.Memory, line [2]int64) []part {
	slot := &d[maphash.String(dividedSeed, m.ID)%keptDivided]
	if kept := slot.Load(); kept != nil && kept.id == m.ID && kept.line == line {
		return kept.all
	}
	made := &divided{id: m.ID, line: line}
	for _, s := range statement.Of(m) {
		made.all = append(made.all, part{s, sessions.NewText(s.Text)})
	}
	slot.Store(made)
	return made.all
}

// forget drops all statements.
func (d *dividedCache) forget() {
	for i := range d {
		d[i].Store(nil)
	}
}
