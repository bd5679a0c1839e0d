package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	"recollect/internal/api"
	"recollect/internal/daemon/lease"
	"recollect/internal/store"
)

// Alone calls f while no daemon owns home. It asks a running daemon to end, and keeps others from
// starting until f has returned.
func Alone(ctx context.Context, home string, f func() error) error {
	tick := time.NewTicker(takeOverEvery)
	defer tick.Stop()
	client := api.Client{Home: home} // a request with a version could start another daemon
	for {
		lock, err := store.Acquire(home)
		if err == nil {
			return errors.Join(withLease(home, f), lock.Release())
		}
		if !errors.Is(err, store.ErrLocked) {
			return err
		}
		if err := client.Shutdown(ctx); err != nil && !errors.Is(err, api.ErrNoDaemon) {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the daemon to end: %w", ctx.Err())
		case <-tick.C:
		}
	}
}

// withLease calls f while no other machine may serve home.
func withLease(home string, f func() error) error {
	l, err := lease.Take(home, time.Now())
	if err != nil {
		return err
	}
	defer l.Release()
	return f()
}

// Refuses returns an error if a daemon of this machine would refuse to serve home, because of its
// file system or another machine. The folder need not exist.
func Refuses(home string) error {
	if err := lease.Check(home, time.Now()); err != nil {
		return err
	}
	return lease.Locks(home)
}
