package daemon

import (
	"context"
	"sync"

	"recollect/internal/api"
	"recollect/internal/engine"
	"recollect/internal/system/crash"
)

// maxWaiting is how many calls may wait for an engine that is being opened.
const maxWaiting = 64

// An opening is an engine that is being opened, which may fail.
type opening struct {
	done chan struct{} // closed when the engine is open or has failed to open

	mu      sync.Mutex
	waiting []func(*engine.Engine) error // calls to make as soon as the engine is open
	engine  *engine.Engine
	err     error // why the engine could not be opened
}

func newOpening() *opening { return &opening{done: make(chan struct{})} }

// resolve sets the engine, or why it could not be opened, and makes the calls that wait for it.
func (o *opening) resolve(e *engine.Engine, err error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.engine, o.err = e, err
	if err == nil {
		for _, call := range o.waiting {
			crash.Catch(func() error { return call(e) }) // the client has its reply already
		}
	}
	o.waiting = nil
	close(o.done)
}

// wait returns the engine once it is open, or why it cannot be opened.
func (o *opening) wait(ctx context.Context) (*engine.Engine, error) {
	select {
	case <-o.done:
		return o.engine, o.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// now returns the engine if it is open.
func (o *opening) now() (*engine.Engine, bool) {
	select {
	case <-o.done:
		return o.engine, o.err == nil
	default:
		return nil, false
	}
}

// callWhenOpen makes a call with the engine, now or as soon as the engine is open. It returns
// api.ErrBusy if too many calls are waiting.
func (o *opening) callWhenOpen(call func(*engine.Engine) error) error {
	if later, err := o.queueCall(call); later || err != nil {
		return err
	}
	return call(o.engine)
}

// queueCall queues a call if the engine is still being opened, and reports whether it did.
func (o *opening) queueCall(call func(*engine.Engine) error) (later bool, err error) {
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
