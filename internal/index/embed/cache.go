package embed

import (
	"crypto/sha256"
	"slices"

	lru "github.com/hashicorp/golang-lru/v2"
)

// maxCached is the number of prompts whose vectors are cached, at most 4 MiB. The same prompt is sent
// again when a session is resumed, rewound, or explained.
const maxCached = 256

// A cache holds the vectors of the most recently used prompts, by content.
type cache struct {
	vectors *lru.Cache[[sha256.Size]byte, []float32]
}

func newCache() *cache {
	vectors, err := lru.New[[sha256.Size]byte, []float32](maxCached)
	if err != nil {
		panic(err) // impossible: the size is a positive constant
	}
	return &cache{vectors: vectors}
}

// get returns a copy of the vector of text.
func (c *cache) get(text string) ([]float32, bool) {
	v, ok := c.vectors.Get(sha256.Sum256([]byte(text)))
	return slices.Clone(v), ok
}

// put stores a copy of the vector of text.
func (c *cache) put(text string, vector []float32) {
	c.vectors.Add(sha256.Sum256([]byte(text)), slices.Clone(vector))
}
