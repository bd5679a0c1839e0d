package embed

import (
	"container/list"
	"crypto/sha256"
	"slices"
	"sync"
)

// maxCached is how many prompts' vectors are kept: at most 4 MiB. The same
// prompt comes again when a session is resumed, rewound, or explained.
const maxCached = 256

// A cache keeps the vectors of the prompts that were used last, by content.
type cache struct {
	mu      sync.Mutex
	entries map[[sha256.Size]byte]*list.Element // of cached
	recent  *list.List                          // the last one used is in front
}

type cached struct {
	key    [sha256.Size]byte
	vector []float32
}

func newCache() *cache {
	return &cache{entries: map[[sha256.Size]byte]*list.Element{}, recent: list.New()}
}

// get returns a copy of the vector of text.
func (c *cache) get(text string) ([]float32, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.entries[sha256.Sum256([]byte(text))]
	if !ok {
		return nil, false
	}
	c.recent.MoveToFront(e)
	return slices.Clone(e.Value.(cached).vector), true
}

// put keeps a copy of the vector of text.
func (c *cache) put(text string, vector []float32) {
	key := sha256.Sum256([]byte(text))
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.entries[key]; ok {
		c.recent.Remove(e)
	}
	c.entries[key] = c.recent.PushFront(cached{key, slices.Clone(vector)})
	if c.recent.Len() > maxCached {
		oldest := c.recent.Remove(c.recent.Back()).(cached)
		delete(c.entries, oldest.key)
	}
}
