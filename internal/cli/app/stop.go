package app

import (
	"context"
	"errors"
	"time"

	"recollect/internal/api"
	"recollect/internal/daemon"
)

// StopDaemon asks the daemon to end, and waits until none runs, at most for limit. The daemon has to
// answer within AliveIn. running reports whether one listened; one that does not is already ending.
func StopDaemon(ctx context.Context, c *api.Client, limit time.Duration) (running bool, err error) {
	asking, cancel := context.WithTimeout(ctx, AliveIn)
	defer cancel()
	err = c.Shutdown(asking)
	running = !errors.Is(err, api.ErrNoDaemon)
	if running && err != nil {
		return true, err
	}
	waiting, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return running, daemon.WaitForEnd(waiting, c.Home)
}

// KillDaemon kills the daemon, and waits until it has ended.
func KillDaemon(ctx context.Context, home string) error {
	if err := daemon.Kill(home); err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, AliveIn)
	defer cancel()
	return daemon.WaitForEnd(waiting, home)
}
