package app

import (
	"context"
	"errors"
	"fmt"
	"time"

	"recollect/internal/api"
	"recollect/internal/daemon"
)

// A HungError means that a daemon listens but does not answer.
type HungError struct{ PID int } // 0 if unknown

// Error implements error.
func (e *HungError) Error() string {
	if e.PID == 0 {
		return "the daemon does not answer"
	}
	return fmt.Sprintf("the daemon, process %d, does not answer", e.PID)
}

// checkHealth returns the daemon's health, or a HungError if that takes longer than AliveIn.
func checkHealth(ctx context.Context, c *api.Client) (api.Health, error) {
	limited, cancel := context.WithTimeout(ctx, AliveIn)
	defer cancel()
	h, err := c.Health(limited)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return h, HungDaemon(c.Home)
	}
	return h, err
}

// HungDaemon returns the error for a daemon that does not answer.
func HungDaemon(home string) error {
	pid, err := daemon.PID(home)
	if err != nil {
		pid = 0
	}
	return &HungError{pid}
}

// HealthOnce returns the daemon's health as soon as wanted accepts it, or as it is after wait.
func HealthOnce(ctx context.Context, c *api.Client, wait time.Duration, wanted func(api.Health) bool) (api.Health, error) {
	tick := time.NewTicker(healthPoll)
	defer tick.Stop()
	late := time.NewTimer(wait)
	defer late.Stop()
	for {
		h, err := c.Health(ctx)
		if err != nil || wanted(h) {
			return h, err
		}
		select {
		case <-late.C:
			return h, nil
		case <-ctx.Done():
			return h, ctx.Err()
		case <-tick.C:
		}
	}
}

// Health returns the daemon's health.
func (a *App) Health(ctx context.Context) (api.Health, error) {
	return Get(ctx, a, func(ctx context.Context, c *api.Client) (api.Health, error) { return c.Health(ctx) })
}

// healthPoll is how often HealthOnce asks for the daemon's health.
const healthPoll = 20 * time.Millisecond
