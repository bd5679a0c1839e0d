package daemon

import (
	"context"
	"sync"
	"time"
)

// idle measures how long there has been no request.
type idle struct {
	mu     sync.Mutex
	active int
	since  time.Time // when the last request ended
}

func newIdle() *idle { return &idle{since: time.Now()} }

// enter records that a request begins; the returned function records that it ended.
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

func (i *idle) left(limit time.Duration) time.Duration {
	i.mu.Lock()
	defer i.mu.Unlock()
	if i.active > 0 {
		return limit
	}
	return limit - time.Since(i.since)
}

// wait returns when there has been no request for limit(), which may change meanwhile, or
// when ctx ends.
func (i *idle) wait(ctx context.Context, limit func() time.Duration) {
	const interval = 10 * time.Second // until a shorter limit is noticed
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
