package daemon

import (
	"cmp"
	"maps"
	"slices"
	"sync"
	"time"
)

// maxLooks bounds the transcripts that wait to be looked at.
const maxLooks = 1000

// A look is due at a transcript: something is there that was not when the
// daemon heard of it, or will be.
type look struct {
	path    string
	session string // whose fallback follows from what is found, or ""
	ends    bool   // the session came to an end
	spare   bool   // can wait for the next daemon
	due     time.Time
}

// looks are the transcripts to look at later, each once.
type looks struct {
	wake chan struct{} // yields after something was added

	mu     sync.Mutex
	byPath map[string]look
}

func newLooks() *looks {
	return &looks{wake: make(chan struct{}, 1), byPath: map[string]look{}}
}

// add notes a look. One that waits for the same transcript is put off: it
// finds what the earlier one would have found. With too many waiting it
// reports false and notes nothing.
func (l *looks) add(k look) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	old, waits := l.byPath[k.path]
	if !waits && len(l.byPath) >= maxLooks {
		return false
	}
	if waits {
		k.session = cmp.Or(k.session, old.session)
		k.ends = k.ends || old.ends
		k.spare = k.spare && old.spare
		if old.due.After(k.due) {
			k.due = old.due
		}
	}
	l.byPath[k.path] = k
	select {
	case l.wake <- struct{}{}:
	default:
	}
	return true
}

// take removes and returns the look that is due first, if it is due now.
func (l *looks) take(now time.Time) (look, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k, ok := l.first()
	if !ok || k.due.After(now) {
		return look{}, false
	}
	delete(l.byPath, k.path)
	return k, true
}

// takeAll removes and returns all looks, whenever they are due.
func (l *looks) takeAll() []look {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := slices.Collect(maps.Values(l.byPath))
	clear(l.byPath)
	return all
}

// wait returns how long until a look is due, an hour at most.
func (l *looks) wait(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	k, ok := l.first()
	if !ok {
		return time.Hour
	}
	return max(0, min(k.due.Sub(now), time.Hour))
}

// first returns the look that is due first.
func (l *looks) first() (look, bool) {
	var first look
	for _, k := range l.byPath {
		if first.path == "" || k.due.Before(first.due) || k.due.Equal(first.due) && k.path < first.path {
			first = k
		}
	}
	return first, first.path != ""
}
