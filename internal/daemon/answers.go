package daemon

import (
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"recollect/internal/recall"
)

const (
	maxAnswers = 100         // tool calls whose answers are kept
	answerAge  = time.Minute // for how long
)

// answers keep what bears on the last tool calls, since Claude makes the same
// ones again and again. They hold as long as no memory was written.
type answers struct {
	cache *lru.Cache[string, answer]
	hits  atomic.Int64
}

type answer struct {
	found   []recall.Bearing
	at      time.Time
	version int64 // of the memories
}

func newAnswers() *answers {
	cache, err := lru.New[string, answer](maxAnswers)
	if err != nil {
		panic(err) // a constant that is no size
	}
	return &answers{cache: cache}
}

// of returns the answer for a key that holds at version of the memories, or
// the one that find gives, which it keeps.
func (a *answers) of(key string, version int64, now time.Time, find func() ([]recall.Bearing, error)) ([]recall.Bearing, error) {
	if known, ok := a.cache.Get(key); ok && known.version == version && now.Sub(known.at).Abs() < answerAge {
		a.hits.Add(1)
		return known.found, nil
	}
	found, err := find()
	if err == nil {
		a.cache.Add(key, answer{found, now, version})
	}
	return found, err
}
