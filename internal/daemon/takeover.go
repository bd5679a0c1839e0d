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

// How long an older daemon is waited for, and how often the lock is tried
// meanwhile.
const (
	takeOverWait  = 3 * drain
	takeOverEvery = 20 * time.Millisecond
)

// takeOver takes the lock of home. If an older daemon holds it, takeOver asks that one
// to end and waits for it. If one of this version or a newer one holds it, both the lock
// and the error are nil, also if that one ends meanwhile: it may have been asked to, and
// a client that waits for an answer starts another.
func takeOver(ctx context.Context, home, version string) (*store.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, takeOverWait)
	defer cancel()
	tick := time.NewTicker(takeOverEvery)
	defer tick.Stop()
	renew := time.NewTicker(api.RenewGuardEvery)
	defer renew.Stop()
	// No version is sent: these requests must not start yet another daemon.
	client := api.Client{Home: home}
	for waited, asked := false, false; ; waited = true {
		lock, err := store.Acquire(home)
		switch {
		case err == nil && waited && !asked:
			return nil, lock.Release()
		case !errors.Is(err, store.ErrLocked):
			return lock, err
		}
		health, err := client.Health(ctx)
		if err == nil && !api.Older(health.Version, version) {
			return nil, nil
		}
		if err == nil {
			client.Shutdown(ctx) // or it ended by itself meanwhile
			asked = true
		} else if held := lease.Check(home, time.Now()); held != nil {
			return nil, held // the file system passes locks on to other machines, but no socket does
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for %s to end: %w", owner(home), ctx.Err())
		case <-renew.C: // nobody else needs to wait like this
			api.RenewGuard(home)
		case <-tick.C:
		}
	}
}

// owner names the daemon that has the lock of home and does not answer. It may run in another
// container, where its socket lies in a folder that this one does not have.
func owner(home string) string {
	held, ok := lease.Current(home)
	if !ok {
		return "another daemon"
	}
	return fmt.Sprintf("the daemon that is process %d on %s", held.PID, held.Host)
}
