package daemon

import (
	"context"
	"testing"
	"testing/synctest"
	"time"
)

// waitIdle runs idle.wait and returns when it returned, by the bubble's clock.
func waitIdle(i *idle, ctx context.Context, limit func() time.Duration) <-chan time.Time {
	ended := make(chan time.Time, 1)
	go func() {
		i.wait(ctx, limit)
		ended <- time.Now()
	}()
	return ended
}

func always(d time.Duration) func() time.Duration { return func() time.Duration { return d } }

func TestIdle(t *testing.T) {
	tests := []struct {
		name  string
		limit time.Duration
		use   func(*idle) // what happens meanwhile
		want  time.Duration
	}{
		{"nobody asks", time.Hour, func(*idle) {}, time.Hour},
		{"shortest", time.Second, func(*idle) {}, time.Second},
		{"asked half way", time.Hour, func(i *idle) {
			time.Sleep(30 * time.Minute)
			i.enter()()
		}, 90 * time.Minute},
		{"a long request counts from its end", time.Minute, func(i *idle) {
			leave := i.enter()
			time.Sleep(10 * time.Minute)
			leave()
		}, 11 * time.Minute},
		{"requests that overlap", time.Minute, func(i *idle) {
			a := i.enter()
			time.Sleep(time.Minute)
			b := i.enter()
			a()
			time.Sleep(5 * time.Minute)
			b()
		}, 7 * time.Minute},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				began := time.Now()
				i := newIdle()
				ended := waitIdle(i, t.Context(), always(tt.limit))
				tt.use(i)
				// While somebody asks it looks again only after a while.
				if got := (<-ended).Sub(began); got < tt.want || got >= tt.want+min(tt.limit, time.Minute) {
					t.Errorf("idle after %v, want %v", got, tt.want)
				}
			})
		})
	}
}

func TestIdleLimitIsShortened(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		ended := waitIdle(newIdle(), t.Context(), func() time.Duration {
			if time.Since(began) < 95*time.Second {
				return time.Hour
			}
			return time.Second
		})
		if got := (<-ended).Sub(began); got != 100*time.Second {
			t.Errorf("idle after %v, want it noticed within ten seconds", got)
		}
	})
}

func TestIdleEndsWithContext(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		began := time.Now()
		ended := waitIdle(newIdle(), ctx, always(time.Hour))
		synctest.Wait()
		cancel()
		if got := (<-ended).Sub(began); got != 0 {
			t.Errorf("ended after %v, want at once", got)
		}
	})
}
