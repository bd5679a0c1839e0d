package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
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
		case <-tick.C:
		}
	}
}

// listen opens the socket. Only the holder of the lock calls it, so a socket that exists
// already is dead, or belongs to another user.
func listen(home string) (net.Listener, error) {
	path := api.SocketPath(home)
	if err := api.MakeSocketFolder(home); err != nil {
		return nil, err
	}
	if err := os.RemoveAll(path); err != nil {
		return nil, fmt.Errorf("remove old socket: %w", err)
	}
	listener, err := listenPrivate(path)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", path, err)
	}
	if err := os.Chmod(path, 0o600); err != nil {
		listener.Close()
		return nil, fmt.Errorf("close socket to others: %w", err)
	}
	// The socket remains until everything is written: whoever waits for the end of
	// the daemon waits until the socket is removed.
	if unix, ok := listener.(*net.UnixListener); ok {
		unix.SetUnlinkOnClose(false)
	}
	return peers{listener}, nil
}

// peers lets in processes of the same user only.
type peers struct{ net.Listener }

// Accept implements net.Listener.
func (p peers) Accept() (net.Conn, error) {
	for {
		conn, err := p.Listener.Accept()
		if err != nil || peerAllowed(conn) {
			return conn, err
		}
		conn.Close()
	}
}
