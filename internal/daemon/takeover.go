package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	"recollect/internal/api"
	"recollect/internal/store"
)

// How long an older daemon is waited for, and how often the lock is tried
// meanwhile.
const (
	takeOverWait  = 3 * drain
	takeOverEvery = 20 * time.Millisecond
)

// takeOver takes the lock of home. If an older daemon holds it, takeOver asks that one
// to end and waits for it, as for one that is ending already. If one of this version or
// a newer one holds it, both the lock and the error are nil.
func takeOver(ctx context.Context, home, version string) (*store.Lock, error) {
	ctx, cancel := context.WithTimeout(ctx, takeOverWait)
	defer cancel()
	tick := time.NewTicker(takeOverEvery)
	defer tick.Stop()
	renew := time.NewTicker(api.RenewGuardEvery)
	defer renew.Stop()
	// No version is sent: these requests must not start yet another daemon.
	client := api.Client{Home: home}
	for {
		lock, err := store.Acquire(home)
		if !errors.Is(err, store.ErrLocked) {
			return lock, err
		}
		health, err := client.Health(ctx)
		if err == nil && !api.Older(health.Version, version) {
			return nil, nil
		}
		if err == nil {
			client.Shutdown(ctx) // or it ended by itself meanwhile
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("wait for another daemon to end: %w", ctx.Err())
		case <-renew.C: // nobody else needs to wait like this
			api.RenewGuard(home)
		case <-tick.C:
		}
	}
}
