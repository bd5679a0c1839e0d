package store

import (
	"bytes"
	"maps"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"

	"recollect/internal/memory"
)

// Bounds of the decoded memories that are held: prompts find the same ones again and again, and
// decoding a line takes ten times as long as reading it. Most take three kilobytes.
const (
	maxRecent     = 2048
	maxRecentLine = 8 << 10 // bytes
)

// recent holds the memories that were read last, by id.
type recent struct{ cache *lru.Cache[string, decoded] }

// A decoded memory and its line: users edit the logs in place too.
type decoded struct {
	line   []byte
	memory memory.Memory
}

func newRecent() recent {
	cache, err := lru.New[string, decoded](maxRecent)
	if err != nil {
		panic(err) // the size is not positive
	}
	return recent{cache}
}

// get returns a copy of the memory id if this is still its line.
func (r recent) get(id string, line []byte) (memory.Memory, bool) {
	d, ok := r.cache.Get(id)
	if !ok || !bytes.Equal(d.line, line) {
		return memory.Memory{}, false
	}
	return clone(d.memory), true
}

// put holds the memory id, which was decoded from line. The caller changes neither afterwards.
func (r recent) put(id string, line []byte, m memory.Memory) {
	if len(line) <= maxRecentLine {
		r.cache.Add(id, decoded{line, m})
	}
}

// forget drops all: nothing of what was forgotten may stay.
func (r recent) forget() { r.cache.Purge() }

// clone returns a copy of m that shares nothing with it that can be changed.
func clone(m memory.Memory) memory.Memory {
	m.Fields = maps.Clone(m.Fields)
	for _, list := range []*[]string{&m.Supersedes, &m.Keywords, &m.Files, &m.Tags, &m.ConfirmedBy} {
		*list = slices.Clone(*list)
	}
	return m
}
