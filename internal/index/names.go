package index

import (
	"hash/maphash"
	"strings"
	"sync/atomic"
)

// Texts repeat the same words, and stemming takes most of the time of an analysis. So the terms of recent
// words are cached, at a few hundred bytes each.
const (
	keptNames   = 4096
	longestName = 32 // in bytes; longer ones are not cached
)

var (
	names     [keptNames]atomic.Pointer[analyzedName]
	namesSeed = maphash.MakeSeed()
)

// An analyzedName is a written word and its terms.
type analyzedName struct {
	name   string
	tokens []Token // at position 0
}

// name adds the terms of a written word.
func (a *analyzer) name(name string) {
	if len(name) > longestName {
		a.identifier(name)
		return
	}
	slot := &names[maphash.String(namesSeed, name)%keptNames]
	kept := slot.Load()
	if kept == nil || kept.name != name {
		kept = analyzeName(strings.Clone(name))
		slot.Store(kept)
	}
	for _, t := range kept.tokens {
		t.Position = a.position
		a.tokens = append(a.tokens, t)
	}
}

func analyzeName(name string) *analyzedName {
	var a analyzer
	a.identifier(name)
	return &analyzedName{name, a.tokens}
}
