package store

import (
	"bytes"
	"io"
	"maps"
	"slices"
	"sync"

	lru "github.com/hashicorp/golang-lru/v2"

	"recollect/internal/memory"
)

// Limits on the decoded memories that are cached. Prompts find the same ones again and again, and
// decoding a line takes ten times as long as reading it. Most take three kilobytes.
const (
	maxRecent     = 2048
	maxRecentLine = 8 << 10 // bytes
)

// recent caches the memories that were read last, by id.
type recent struct{ cache *lru.Cache[string, decoded] }

// A decoded holds a memory and its line. The line reveals an edit in place.
type decoded struct {
	line   []byte
	memory memory.Memory
}

func newRecent() recent {
	cache, err := lru.New[string, decoded](maxRecent)
	if err != nil {
		panic(err) // impossible: the size is positive
	}
	return recent{cache}
}

// lineBuffers are for lines that are read only to be compared.
var lineBuffers = sync.Pool{New: func() any { return new([maxRecentLine]byte) }}

// get returns a copy of the cached memory if its line is still at this place in the log.
func (r recent) get(id string, log io.ReaderAt, at place) (memory.Memory, bool) {
	d, ok := r.cache.Get(id)
	if !ok || len(d.line) != int(at.n) {
		return memory.Memory{}, false
	}
	buf := lineBuffers.Get().(*[maxRecentLine]byte)
	defer lineBuffers.Put(buf)
	line := buf[:at.n]
	if _, err := log.ReadAt(line, at.off); err != nil || !bytes.Equal(d.line, line) {
		return memory.Memory{}, false
	}
	return clone(d.memory), true
}

// put caches a memory that was decoded from line. The caller must not change either afterwards.
func (r recent) put(id string, line []byte, m memory.Memory) {
	if len(line) <= maxRecentLine {
		r.cache.Add(id, decoded{line, m})
	}
}

// forget empties the cache, because forgotten text must not stay.
func (r recent) forget() { r.cache.Purge() }

// clone returns a deep copy of m.
func clone(m memory.Memory) memory.Memory {
	m.Fields = maps.Clone(m.Fields)
	for _, list := range []*[]string{&m.Supersedes, &m.Keywords, &m.Files, &m.Tags, &m.ConfirmedBy, &m.Statements} {
		*list = slices.Clone(*list)
	}
	return m
}
