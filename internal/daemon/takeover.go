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

// takeOver waits for an older daemon for takeOverWait, and tries the lock every
// takeOverEvery.
const (
	takeOverWait  = 3 * drain
	takeOverEvery = 20 * time.Millisecond
)

// takeOver takes the lock of home. It asks an older daemon that holds the lock to end,
// and waits for it. If a daemon of this version or a newer one holds the lock, both
// results are nil, even if that one ends meanwhile: it may have been asked to end, and
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
			client.Shutdown(ctx) // fails only if it has ended meanwhile
			asked = true
		} else if held := lease.Check(home, time.Now()); held != nil {
			return nil, held // the file system shares locks with other machines, but not sockets
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for %s to end: %w", describeOwner(home), ctx.Err())
		case <-renew.C: // no client need start another daemon that waits
			api.RenewGuard(home)
		case <-tick.C:
		}
	}
}

// describeOwner describes the daemon that holds the lock of home and does not answer. It may run in another
// container, with its socket in a folder that this one does not have.
func describeOwner(home string) string {
	held, ok := lease.Current(home)
	if !ok {
		return "another daemon"
	}
	return fmt.Sprintf("the daemon that is process %d on %s", held.PID, held.Host)
}
