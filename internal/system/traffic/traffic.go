// Package traffic lets what is done in the background give way to the requests of hooks. Each piece
// of background work waits while a request is being answered, and of several pieces only as many run
// at once as leave a processor free, so that a request that comes meanwhile finds one.
package traffic

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// most is how long a piece of work gives way at most: a request that takes longer waits for something
// else than the processor, and so does other work, perhaps for this.
const most = time.Second

// Traffic knows the requests that are being answered, and the work that is done beside them. New is
// the only way to make one. It is safe for concurrent use. Nobody gives way to a nil Traffic.
type Traffic struct {
	working chan struct{} // holds one for each piece of work that runs
	worked  atomic.Int64  // how long pieces of work took since it was asked last, in nanoseconds

	mu       sync.Mutex
	requests int
	quiet    chan struct{} // closed when there are none
}

// New returns a Traffic without requests and work.
func New() *Traffic { return &Traffic{working: make(chan struct{}, Processors())} }

// Processors returns how many processors background work may use: all but one, where there are several.
func Processors() int { return max(1, runtime.GOMAXPROCS(0)-1) }

// Worked returns how long the pieces of work took together that ended since it was asked last.
func (t *Traffic) Worked() time.Duration { return time.Duration(t.worked.Swap(0)) }

// Enter records that a request begins; the returned function records that it was answered.
func (t *Traffic) Enter() (leave func()) {
	if t == nil {
		return func() {}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.requests++; t.requests == 1 {
		t.quiet = make(chan struct{})
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.requests--; t.requests == 0 {
			close(t.quiet)
		}
	}
}

// Yield waits until no request is being answered.
func (t *Traffic) Yield(ctx context.Context) {
	if t == nil {
		return
	}
	t.mu.Lock()
	requests, quiet := t.requests, t.quiet
	t.mu.Unlock()
	if requests == 0 {
		return
	}
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-quiet:
	}
}

// Work is a piece of background work, or a row of them. It belongs to one goroutine.
type Work struct {
	traffic *Traffic
	running bool // it has a place among what runs at once
	began   time.Time
}

// Begin waits until a piece of work may begin. End must follow, also when ctx ends.
func (t *Traffic) Begin(ctx context.Context) *Work {
	w := t.Work()
	w.begin(ctx)
	return w
}

// Work returns work that has not begun: Next begins it.
func (t *Traffic) Work() *Work { return &Work{traffic: t} }

func (w *Work) begin(ctx context.Context) {
	if w.traffic == nil {
		return
	}
	w.traffic.Yield(ctx)
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case w.traffic.working <- struct{}{}:
		w.running = true
	case <-ctx.Done():
	case <-timer.C: // what runs may wait for this
	}
	w.began = time.Now()
}

// End records that a piece of work ended.
func (w *Work) End() {
	if w == nil || w.began.IsZero() {
		return
	}
	w.traffic.worked.Add(int64(time.Since(w.began)))
	w.began = time.Time{}
	if w.running {
		<-w.traffic.working
		w.running = false
	}
}

// Next ends a piece of work and begins another.
func (w *Work) Next(ctx context.Context) {
	if w != nil {
		w.End()
		w.begin(ctx)
	}
}
