package statement

import (
	"hash/maphash"
	"sync/atomic"

	"recollect/internal/memory"
)

// kept is how many memories' statements are held, some kilobyte each: prompts find the same memories again.
const kept = 1024

var cacheSeed = maphash.MakeSeed()

// A Cache holds the statements of the memories that were divided last. The zero value is empty. It is safe for
// concurrent use.
type Cache [kept]atomic.Pointer[divided]

type divided struct {
	id   string
	line [2]int64 // of the store, at which the memory stands
	all  []Statement
}

// Of returns the statements of a memory that stands at a line of the store.
func (c *Cache) Of(m *memory.Memory, line [2]int64) []Statement {
	slot := &c[maphash.String(cacheSeed, m.ID)%kept]
	if d := slot.Load(); d != nil && d.id == m.ID && d.line == line {
		return d.all
	}
	all := Of(m)
	slot.Store(&divided{m.ID, line, all})
	return all
}

// Forget drops all statements.
func (c *Cache) Forget() {
	for i := range c {
		c[i].Store(nil)
	}
}
