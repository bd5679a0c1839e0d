package daemon

import (
	"context"
	"sync"

	"recollect/internal/api"
	"recollect/internal/engine"
)

// maxWaiting is how many calls wait for an engine that is opening.
const maxWaiting = 64

// An opening is an engine that will be there in a moment, or not at all.
type opening struct {
	done chan struct{} // closed when it is known which

	mu      sync.Mutex
	waiting []func(*engine.Engine) error // what to do as soon as the engine is there
	engine  *engine.Engine
	err     error // why there is no engine
}

func newOpening() *opening { return &opening{done: make(chan struct{})} }

// resolve says that the engine is there, or why it is not, and does what waits
// for it.
func (o *opening) resolve(e *engine.Engine, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.engine, o.err = e, err
	if err == nil {
		for _, call := range o.waiting {
			call(e) // whoever asked was answered already
		}
	}
	o.waiting = nil
	close(o.done)
}

// wait returns the engine once it is there, or why it cannot be.
func (o *opening) wait(ctx context.Context) (*engine.Engine, error) {
	select {
	case <-o.done:
		return o.engine, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// now returns the engine if it is there.
func (o *opening) now() (*engine.Engine, bool) {
	select {
	case <-o.done:
		return o.engine, o.err == nil
	default:
		return nil, false
	}
}

// then does something with the engine: at once where it is there, else as soon
// as it is. With too much waiting it returns api.ErrBusy.
func (o *opening) then(call func(*engine.Engine) error) error {
	if later, err := o.queue(call); later || err != nil {
		return err
	}
	return call(o.engine)
}

// queue leaves a call until the engine is there, and reports whether it has to
// wait.
func (o *opening) queue(call func(*engine.Engine) error) (later bool, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.engine != nil || o.err != nil:
		return false, o.err
	case len(o.waiting) >= maxWaiting:
		return false, api.ErrBusy
	}
	o.waiting = append(o.waiting, call)
	return true, nil
}
