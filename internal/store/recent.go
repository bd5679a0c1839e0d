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

// lineBuffers hold lines that are read only to be compared.
var lineBuffers = sync.Pool{New: func() any { return new([maxRecentLine]byte) }}

// get returns a copy of the memory id if its line is still at this place of its log.
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
