package embed

import (
	"context"
	"errors"
	"sync"
)

var (
	errBusy   = errors.New("it is still busy with an abandoned text")
	errClosed = errors.New("the embedder was closed")
)

// A singleFlight allows one call to a backend at a time. A caller may stop waiting while the call
// continues, because not every backend obeys a deadline: a model in a folder always finishes its
// computation. Until such a call returns, all others are rejected at once.
type singleFlight struct {
	slot chan struct{} // holds one while a call runs

	mu        sync.Mutex
	stops     func() // cancels the running call; nil when there is none
	abandoned bool   // whether nobody waits for the running call
	closed    bool
}

func newSingleFlight() *singleFlight { return &singleFlight{slot: make(chan struct{}, 1)} }

// A result is the outcome of a call.
type result struct {
	vector []float32
	err    error
}

// call runs work in a goroutine and waits for it until waiting ends; the goroutine may go on after that.
// call always calls stop, which should end the work.
func (l *singleFlight) call(waiting context.Context, stop context.CancelFunc, work func() ([]float32, error)) ([]float32, error) {
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

// enter waits for the slot, unless the call that holds it was abandoned.
func (l *singleFlight) enter(waiting context.Context, stop context.CancelFunc) error {
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

func (l *singleFlight) refusal() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	switch {
	case l.closed:
		return errClosed
	case l.abandoned:
		return errBusy
	}
	return nil
}

// leave passes on the result and then releases the slot. In this order,
// whoever holds the lock sees either the result or a running call.
func (l *singleFlight) leave(done chan<- result, r result) {
	l.mu.Lock()
	defer l.mu.Unlock()
	done <- r
	l.stops()
	l.stops, l.abandoned = nil, false
	<-l.slot
}

// abandon records that nobody waits for the running call, unless it has
// returned at this moment.
func (l *singleFlight) abandon(waiting context.Context, done <-chan result) ([]float32, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	select {
	case r := <-done:
		return r.vector, r.err
	default:
		l.abandoned = true
		return nil, context.Cause(waiting)
	}
}

// stop cancels the running call and admits no other.
func (l *singleFlight) stop() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.closed = true
	if l.stops != nil {
		l.stops()
	}
}
