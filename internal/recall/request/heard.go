package request

import (
	"hash/maphash"
	"sync"

	"recollect/internal/index"
)

// mostHeard is how many different words of a session are known.
const mostHeard = 20_000

var heardSeed = maphash.MakeSeed()

// Heard has the words of a session: what its prompts, its replies and its tools said. It is safe for
// concurrent use.
type Heard struct {
	mu      sync.Mutex
	by      map[uint64]uint8 // who said a word, by its hash
	Prompts int              // typed so far
}

// Add adds the words of a text; by is a set of bits that says who said them.
func (h *Heard) Add(text string, by uint8) {
	tokens := index.Analyze(text)
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.by == nil {
		h.by = map[uint64]uint8{}
	}
	for _, t := range tokens {
		key := maphash.String(heardSeed, t.Text)
		if _, known := h.by[key]; known || len(h.by) < mostHeard {
			h.by[key] |= by
		}
	}
}

// Has returns who said a term, 0 for nobody.
func (h *Heard) Has(term string) uint8 {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.by[maphash.String(heardSeed, term)]
}

// Forget drops all words.
func (h *Heard) Forget() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.by = nil
}
