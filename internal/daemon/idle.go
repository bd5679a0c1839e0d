package daemon

import (
	"context"
	"sync"
	"time"
)

// idle knows how long nobody has asked for anything.
type idle struct {
	mu     sync.Mutex
	active int
	since  time.Time // when the last request ended
}

func newIdle() *idle { return &idle{since: time.Now()} }

// enter notes that a request begins; the returned function that it ended.
func (i *idle) enter() (leave func()) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.active++
	return func() {
		i.mu.Lock()
		defer i.mu.Unlock()
		i.active--
		i.since = time.Now()
	}
}

// left returns how long until the time limit is reached.
func (i *idle) left(limit time.Duration) time.Duration {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.active > 0 {
		return limit
	}
	return limit - time.Since(i.since)
}

// wait returns when nobody has asked for anything for limit(), or ctx ended.
// limit may change meanwhile.
func (i *idle) wait(ctx context.Context, limit func() time.Duration) {
	// A setting that was shortened is noticed within a minute.
	const interval = time.Minute
	for {
		left := i.left(limit())
		if left <= 0 {
			return
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(min(left, interval)):
		}
	}
}
