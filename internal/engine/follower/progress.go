// Package follower brings what is derived from the store up to date with it: Index does
// so for the search index, Vectors for the vectors of the texts. Both read the logs from
// a watermark on, the position up to which they have read, so that no work is done twice.
package follower

import (
	"context"
	"fmt"
	"sync"
	"time"
)

// Work is how many memories of all a follower has done.
type Work struct{ Done, All int }

// progress records whether a follower is up to date with the store.
type progress struct {
	nudge chan struct{}

	mu      sync.Mutex
	status  string        // "ready", or what is being done
	work    Work          // how far that is
	stopped error         // why nothing is being done, or nil
	behind  bool          // the store has changed since
	current chan struct{} // closed when the follower is up to date or has failed
	awaited chan struct{} // closed when somebody waits for that
	err     error         // why the last attempt failed, or nil
}

func newProgress() *progress {
	p := &progress{nudge: make(chan struct{}, 1), awaited: make(chan struct{}), status: "opening", current: make(chan struct{})}
	p.recordChange()
	return p
}

// recordChange records that the store has changed.
func (p *progress) recordChange() {
	p.mu.Lock()
	defer p.mu.Unlock() // held for the nudge too: finish must not run in between
	if !p.behind {
		p.behind = true
		p.current, p.awaited = make(chan struct{}), make(chan struct{})
	}
	select {
	case p.nudge <- struct{}{}:
	default:
	}
}

// CaughtUp waits until the follower has all that was stored before the call, or until
// its next attempt fails.
func (p *progress) CaughtUp(ctx context.Context) error {
	p.mu.Lock()
	behind, current := p.behind, p.current
	if behind {
		p.recordWaiter()
	}
	p.mu.Unlock()
	if !behind {
		return nil
	}
	select {
	case <-current:
		return p.failure()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Hurry makes the follower follow at once what has changed, as if somebody waited for it.
func (p *progress) Hurry() {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.behind {
		p.recordWaiter()
	}
}

// recordWaiter records that somebody waits.
func (p *progress) recordWaiter() {
	select {
	case <-p.awaited:
	default:
		close(p.awaited)
	}
}

// pause waits until a time, unless somebody waits for the follower.
func (p *progress) pause(ctx context.Context, until time.Time) {
	p.mu.Lock()
	awaited := p.awaited
	p.mu.Unlock()
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-awaited:
	}
}

// Status returns "ready", or what is being done.
func (p *progress) Status() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.status
}

// Stopped returns why the work has stopped, nil while it goes on or is done.
func (p *progress) Stopped() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stopped
}

func (p *progress) setStatus(status string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status, p.work, p.stopped = status, Work{}, nil
}

// setWork records what is being done, and how far that is.
func (p *progress) setWork(what string, done, all int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status, p.work, p.stopped = fmt.Sprintf("%s, %d of %d", what, done, all), Work{done, all}, nil
}

// Work returns how far the work is, the zero Work while nothing is counted.
func (p *progress) Work() Work {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.work
}

func (p *progress) recordStop(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status, p.work, p.stopped = "stopped: "+cause.Error(), Work{}, cause
}

func (p *progress) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// recordFailure records that an attempt has failed, and releases those who wait for it.
func (p *progress) recordFailure(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = err
	if p.behind {
		close(p.current)
		p.current = make(chan struct{})
	}
}

// recordCaughtUp records that the follower is up to date, unless the store has changed since the
// nudge was taken.
func (p *progress) recordCaughtUp() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = nil
	if len(p.nudge) == 0 && p.behind {
		p.behind = false
		p.status, p.work, p.stopped = "ready", Work{}, nil
		close(p.current)
	}
}
