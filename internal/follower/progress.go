// Package follower keeps what is made of the store behind it: Index does so for
// the search index, Vectors for the texts' vectors. Both follow the logs from a
// watermark on, so that what was done once is never done again.
package follower

import (
	"context"
	"sync"
)

// progress says how far behind the store is what is made of it.
type progress struct {
	nudge chan struct{}

	mu      sync.Mutex
	status  string        // "ready", or what is being done
	stopped error         // why nothing is being done, or nil
	behind  bool          // work was announced that is not done yet
	current chan struct{} // closed when there is nothing left to do, or it failed
	err     error         // why the last attempt failed, or nil
}

func newProgress() *progress {
	p := &progress{nudge: make(chan struct{}, 1), status: "opening", current: make(chan struct{})}
	p.wake()
	return p
}

// wake says that the store has changed.
func (p *progress) wake() {
	p.mu.Lock()
	defer p.mu.Unlock() // held for the nudge too: settle must not come between
	if !p.behind {
		p.behind = true
		p.current = make(chan struct{})
	}
	select {
	case p.nudge <- struct{}{}:
	default:
	}
}

// CaughtUp waits until nothing is missing that was stored before the call, or
// until the next attempt at it fails.
func (p *progress) CaughtUp(ctx context.Context) error {
	p.mu.Lock()
	behind, current := p.behind, p.current
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

// Status says what is being done.
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
	p.status, p.stopped = status, nil
}

func (p *progress) stop(cause error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.status, p.stopped = "stopped: "+cause.Error(), cause
}

func (p *progress) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.err
}

// fail says that an attempt has failed: those who wait need not any longer.
func (p *progress) fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = err
	if p.behind {
		close(p.current)
		p.current = make(chan struct{})
	}
}

// finish declares everything done unless a wake came since the nudge was
// taken.
func (p *progress) finish() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.err = nil
	if len(p.nudge) == 0 && p.behind {
		p.behind = false
		p.status, p.stopped = "ready", nil
		close(p.current)
	}
}
