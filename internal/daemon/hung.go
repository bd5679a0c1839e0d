package daemon

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"syscall"
	"time"

	"recollect/internal/api"
	"recollect/internal/daemon/lease"
	"recollect/internal/store"
)

// PID returns the process of the daemon that listens for home, even if the daemon does not answer.
func PID(home string) (int, error) {
	conn, err := api.Dial(home)
	if err != nil {
		return 0, err
	}
	defer conn.Close()
	return peerPID(conn)
}

// FirstServed returns when a daemon first served home, zero if none has.
func FirstServed(home string) time.Time { return store.FirstOwned(home) }

// ErrElsewhere means that the daemon runs in another container on the same kernel. The user must end
// it there.
var ErrElsewhere = errors.New("it runs in another container")

// Kill ends the daemon that listens for home at once. No acknowledged memory is lost.
func Kill(home string) error {
	pid, err := PID(home)
	if err != nil {
		return fmt.Errorf("find the daemon's process: %w", err)
	}
	if pid == 0 { // the kernel shows no process of another container
		return fmt.Errorf("end %s from here: %w", describeOwner(home), ErrElsewhere)
	}
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil && !errors.Is(err, os.ErrProcessDone) {
		return fmt.Errorf("end process %d: %w", pid, err)
	}
	return nil
}

// endedEvery is how often WaitForEnd checks.
const endedEvery = 10 * time.Millisecond

// WaitForEnd waits until no daemon owns home, which a daemon gives up last. It returns an error if
// another machine serves home.
func WaitForEnd(ctx context.Context, home string) error {
	tick := time.NewTicker(endedEvery)
	defer tick.Stop()
	for store.Owned(home) {
		if err := lease.Check(home, time.Now()); err != nil {
			return err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the daemon to end: %w", ctx.Err())
		case <-tick.C:
		}
	}
	return nil
}

func withDescriptor(conn net.Conn, f func(fd int) error) error {
	c, ok := conn.(syscall.Conn)
	if !ok {
		return errors.ErrUnsupported
	}
	raw, err := c.SyscallConn()
	if err != nil {
		return err
	}
	failed := raw.Control(func(fd uintptr) { err = f(int(fd)) })
	return errors.Join(failed, err)
}
