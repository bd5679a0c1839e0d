package maintenance

import (
	"context"
	"sync"
	"time"
)

// maxYield is how long work gives way to the requests of hooks at a time. A request that
// takes longer waits for something else than the processor.
const maxYield = time.Second

// traffic counts the requests of hooks that are being answered.
type traffic struct {
	mu    sync.Mutex
	n     int
	quiet chan struct{} // closed when there are none
}

// enter records that a request begins; the returned function records that it ended.
func (t *traffic) enter() (leave func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.n++; t.n == 1 {
		t.quiet = make(chan struct{})
	}
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.n--; t.n == 0 {
			close(t.quiet)
		}
	}
}

// yield waits until no request is being answered, at most for maxYield.
func (t *traffic) yield(ctx context.Context) {
	t.mu.Lock()
	n, quiet := t.n, t.quiet
	t.mu.Unlock()
	if n == 0 {
		return
	}
	pause(ctx, maxYield, quiet)
}

// pause waits for a while, or until something else happens.
func pause(ctx context.Context, most time.Duration, until <-chan struct{}) {
	timer := time.NewTimer(most)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	case <-until:
	}
}
