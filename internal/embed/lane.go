package embed

import (
	"context"
	"errors"
	"sync"
)

var (
	errBusy   = errors.New("it is still busy with a text that nobody waits for any more")
	errClosed = errors.New("the embedder was closed")
)

// A lane lets one call at a time through to a backend. Whoever waits for a
// call may leave while it goes on, because not every backend obeys a deadline:
// a model in a folder computes to the end. Until such a call returns the lane
// turns others away at once, so there is never more than one of them.
type lane struct {
	slot chan struct{} // holds one while a call runs

	mu     sync.Mutex
	stops  func() // ends the work of the running call; nil when there is none
	left   bool   // nobody waits for the running call
	closed bool
}

func newLane() *lane { return &lane{slot: make(chan struct{}, 1)} }

// A result is what a call returned.
type result struct {
	vector []float32
	err    error
}

// call runs work in a goroutine and waits for it until waiting ends. The
// goroutine outlives call in that case; stop, which is called in any case, is
// to end the work.
func (l *lane) call(waiting context.Context, stop context.CancelFunc, work func() ([]float32, error)) ([]float32, error) {
	if err := l.enter(waiting, stop); err != nil {
		stop()
		return nil, err
	}
	done := make(chan result, 1)
	go func() {
		v, err := work()
		l.leave(done, result{v, err})
	}()
	select {
	case r := <-done:
		return r.vector, r.err
	case <-waiting.Done():
		return l.abandon(waiting, done)
	}
}

// enter waits for the slot, unless the call that holds it was left.
func (l *lane) enter(waiting context.Context, stop context.CancelFunc) error {
	if err := l.refusal(); err != nil {
		return err
	}
	select {
	case l.slot <- struct{}{}:
	case <-waiting.Done():
		return context.Cause(waiting)
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.closed {
		<-l.slot
		return errClosed
	}
	l.stops = stop
	return nil
}

func (l *lane) refusal() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return errClosed
	case l.left:
		return errBusy
	}
	return nil
}

// leave hands over the result and lets the next one in. The result comes
// first: so whoever holds the lock sees either the result or a running call.
func (l *lane) leave(done chan<- result, r result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	done <- r
	l.stops()
	l.stops, l.left = nil, false
	<-l.slot
}

// abandon notes that nobody waits for the running call, unless it returned in
// this very moment.
func (l *lane) abandon(waiting context.Context, done <-chan result) ([]float32, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case r := <-done:
		return r.vector, r.err
	default:
		l.left = true
		return nil, context.Cause(waiting)
	}
}

// stop calls the running call off and lets no other in.
func (l *lane) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.stops != nil {
		l.stops()
	}
}
