package upkeep

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"sync"
	"time"
)

// maxRevisits bounds the transcripts that wait to be read again.
const maxRevisits = 1000

// A Revisit is a later reading of a transcript, in which something is or will be that
// was not there when a hook named it.
type Revisit struct {
	Path     string
	Session  string // whose fallback follows from what is found, or ""
	Optional bool   // may be left to the next daemon
	Due      time.Time
}

// Revisits is the queue of transcripts to read later, each once.
type Revisits struct {
	added chan struct{}

	mu     sync.Mutex
	byPath map[string]Revisit
}

// NewRevisits returns an empty queue.
func NewRevisits() *Revisits {
	return &Revisits{added: make(chan struct{}, 1), byPath: map[string]Revisit{}}
}

// Added yields after a revisit was added.
func (l *Revisits) Added() <-chan struct{} { return l.added }

// Add queues a revisit. One that waits for the same transcript is postponed, since it
// will find what the earlier one would have found. If the queue is full Add reports
// false.
func (l *Revisits) Add(k Revisit) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	old, waits := l.byPath[k.Path]
	if !waits && len(l.byPath) >= maxRevisits {
		return false
	}
	if waits {
		k.Session = cmp.Or(k.Session, old.Session)
		k.Optional = k.Optional && old.Optional
		if old.Due.After(k.Due) {
			k.Due = old.Due
		}
	}
	l.byPath[k.Path] = k
	select {
	case l.added <- struct{}{}:
	default:
	}
	return true
}

// Drop removes the revisit of a transcript, if there is one.
func (l *Revisits) Drop(path string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.byPath, path)
}

// run calls pass whenever a revisit is due, until ctx ends.
func (l *Revisits) run(ctx context.Context, pass func(context.Context, time.Time)) {
	timer := time.NewTimer(l.Wait(time.Now()))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-l.Added():
		case <-timer.C:
			pass(ctx, time.Now())
		}
		timer.Reset(l.Wait(time.Now()))
	}
}

// Take removes and returns the revisit that is due first, if it is due now.
func (l *Revisits) Take(now time.Time) (Revisit, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	k, ok := l.first()
	if !ok || k.Due.After(now) {
		return Revisit{}, false
	}
	delete(l.byPath, k.Path)
	return k, true
}

// TakeAll removes and returns all revisits, whenever they are due.
func (l *Revisits) TakeAll() []Revisit {
	l.mu.Lock()
	defer l.mu.Unlock()
	all := slices.Collect(maps.Values(l.byPath))
	clear(l.byPath)
	return all
}

// Len returns how many revisits there are.
func (l *Revisits) Len() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.byPath)
}

// Wait returns how long until a revisit is due, an hour at most.
func (l *Revisits) Wait(now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	k, ok := l.first()
	if !ok {
		return time.Hour
	}
	return max(0, min(k.Due.Sub(now), time.Hour))
}

// first returns the revisit that is due first.
func (l *Revisits) first() (Revisit, bool) {
	var first Revisit
	for _, k := range l.byPath {
		if first.Path == "" || cmp.Or(k.Due.Compare(first.Due), cmp.Compare(k.Path, first.Path)) < 0 {
			first = k
		}
	}
	return first, first.Path != ""
}
