package engine

import (
	"time"

	lru "github.com/hashicorp/golang-lru/v2"

	"recollect/internal/recall"
)

const (
	maxAnswers = 100         // tool calls whose answers are cached
	answerAge  = time.Minute // how long an answer holds
)

// answers cache what is relevant to the last tool calls, since Claude often repeats a
// call. They hold until a memory is written.
type answers struct {
	cache *lru.Cache[string, answer]
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

// get returns the answer for a key that holds at version of the memories, and
// whether there was one.
func (a *answers) get(key string, version int64, now time.Time) ([]recall.Bearing, bool) {
	known, ok := a.cache.Get(key)
	if !ok || known.version != version || now.Sub(known.at).Abs() >= answerAge {
		return nil, false
	}
	return known.found, true
}

// add stores what was found for a key at version of the memories.
func (a *answers) add(key string, version int64, now time.Time, found []recall.Bearing) {
	a.cache.Add(key, answer{found, now, version})
}
