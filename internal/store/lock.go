package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gofrs/flock"
)

const lockName = "daemon.lock"

// ErrLocked means that another process owns the home folder. The caller should
// talk to that process instead of opening the store.
var ErrLocked = errors.New("another recollect owns it")

// A Lock is the ownership of one home folder. Its holder may open the store
// and the index there; everybody else must ask the holder.
type Lock struct {
	home string
	file *flock.Flock
}

// Acquire takes the ownership of home, creating the folder if necessary, or
// returns ErrLocked at once. The lock file is never removed: removing it while
// a second process waits for the lock would allow two owners.
func Acquire(home string) (*Lock, error) {
	if err := os.MkdirAll(home, 0o700); err != nil {
		return nil, fmt.Errorf("create %s: %w", home, cause(err))
	}
	l := &Lock{home, flock.New(filepath.Join(home, lockName), flock.SetPermissions(0o600))}
	ok, err := l.file.TryLock()
	if err != nil {
		return nil, fmt.Errorf("lock %s: %w", home, cause(err))
	}
	if !ok {
		return nil, fmt.Errorf("lock %s: %w", home, ErrLocked)
	}
	return l, nil
}

// Release gives the ownership back. Close the store first.
func (l *Lock) Release() error {
	if err := l.file.Unlock(); err != nil {
		return fmt.Errorf("unlock %s: %w", l.home, cause(err))
	}
	return nil
}
