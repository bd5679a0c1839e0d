package usage

import (
	"slices"
	"sync"
	"time"

	"recollect/internal/api"
)

// MaxRecent is how many requests are remembered, for whoever follows them.
const MaxRecent = 200

// Recent has what came of the last requests for memories. It is in memory alone.
type Recent struct {
	mu   sync.Mutex
	list []api.Recalled
	last int64         // number of the last one
	more chan struct{} // closed when there is another one
}

// NewRecent returns a Recent whose requests are numbered by the time from which they are, in
// microseconds, so that those of a later daemon have higher numbers.
func NewRecent(now time.Time) *Recent {
	return &Recent{last: now.UnixMicro(), more: make(chan struct{})}
}

// Add remembers one.
func (r *Recent) Add(one api.Recalled) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	one.Seq = r.last
	if len(r.list) == MaxRecent {
		r.list = append(r.list[:0], r.list[1:]...)
	}
	r.list = append(r.list, one)
	close(r.more)
	r.more = make(chan struct{})
}

// NamedAt returns what was injected by a request that began in a session at a time, nil if it is not remembered.
func (r *Recent) NamedAt(session string, at time.Time) []api.Title {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, one := range slices.Backward(r.list) {
		if one.Session == session && one.At.Equal(at) {
			return one.Named
		}
	}
	return nil
}

// Forget removes memories from what is named, and all requests of some sessions, whose prompts may repeat them.
func (r *Recent) Forget(ids, sessions map[string]bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = slices.DeleteFunc(slices.Clone(r.list), func(one api.Recalled) bool { return sessions[one.Session] })
	for i := range r.list {
		named := slices.Clone(r.list[i].Named)
		r.list[i].Named = slices.DeleteFunc(named, func(t api.Title) bool { return ids[t.ID] })
	}
}

// Clear forgets all, because memories were forgotten that their prompts may repeat.
func (r *Recent) Clear() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.list = nil
}

// After returns those after a number, none if that is negative, and a channel that is closed
// when there is another one.
func (r *Recent) After(seq int64) (out api.Recalls, more <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	out = api.Recalls{Recalls: []api.Recalled{}, Next: r.last}
	for _, one := range r.list {
		if seq >= 0 && one.Seq > seq {
			out.Recalls = append(out.Recalls, one)
		}
	}
	return out, r.more
}
