// Package traffic makes background work give way to the requests of hooks. Each piece of background work
// waits while a request is being answered. At most so many run at once that one processor stays free for
// a new request.
package traffic

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"
)

// most is the longest time that a piece of work waits. A request that takes longer waits for something
// other than the processor, perhaps for this work.
const most = time.Second

// Traffic counts the requests that are being answered, and the background work. Only New makes one. It is
// safe for concurrent use. Work does not wait for a nil Traffic.
type Traffic struct {
	working chan struct{} // holds one value for each running piece of work
	worked  atomic.Int64  // nanoseconds of work since the last call of Worked

	mu       sync.Mutex
	requests int
	quiet    chan struct{} // closed when there are no requests
}

// New returns a Traffic without requests or work.
func New() *Traffic { return &Traffic{working: make(chan struct{}, Processors())} }

// Processors returns how many processors background work may use: all but one, but at least one.
func Processors() int { return max(1, runtime.GOMAXPROCS(0)-1) }

// Worked returns the total time of the pieces of work that ended since the last call.
func (t *Traffic) Worked() time.Duration { return time.Duration(t.worked.Swap(0)) }

// Enter records that a request begins. The caller must call leave when it has been answered.
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

// Yield waits until no request is being answered, at most a second.
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

// Work is one or more pieces of background work, one after another. It belongs to one goroutine.
type Work struct {
	traffic *Traffic
	running bool // it occupies a place among the running pieces
	began   time.Time
}

// Begin waits until a piece of work may begin. The caller must call End, even if ctx ends.
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
	case <-timer.C: // the running work may be waiting for this
	}
	w.began = time.Now()
}

// End records that a piece of work has ended.
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
