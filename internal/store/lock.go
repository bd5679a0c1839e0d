package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"
)

const lockName = "daemon.lock"

// ErrLocked means that another process owns the home folder. The caller should
// talk to that process instead of opening the store.
var ErrLocked = errors.New("another recollect owns it")

// A Lock is the ownership of one home folder. Its holder may open the store and the index there; all
// others must ask the holder.
type Lock struct {
	home string
	file *flock.Flock
}

// FirstOwned returns when home was first owned, zero if it never was.
func FirstOwned(home string) time.Time {
	fi, err := os.Stat(filepath.Join(home, lockName))
	if err != nil {
		return time.Time{}
	}
	return fi.ModTime() // nothing is written to it
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
	if l.Held() != nil { // the folder was removed meanwhile: try again in the new one
		return nil, errors.Join(fmt.Errorf("lock %s: %w", home, ErrLocked), l.Release())
	}
	return l, nil
}

// ErrLost means that another process may own the folder, because the lock file was removed or replaced.
// The caller should stop writing and exit.
var ErrLost = errors.New("the folder was removed or replaced")

// Held returns ErrLost if the folder is no longer the one that l owns.
func (l *Lock) Held() error {
	if !l.file.Locked() {
		return fmt.Errorf("check lock of %s: %w", l.home, ErrLost)
	}
	mine, err := l.file.Stat()
	if err != nil {
		return fmt.Errorf("check lock of %s: %w", l.home, cause(err))
	}
	if now, err := os.Stat(filepath.Join(l.home, lockName)); err != nil || !os.SameFile(mine, now) {
		return fmt.Errorf("check lock of %s: %w", l.home, ErrLost)
	}
	return nil
}

// Owned reports whether a process owns home.
func Owned(home string) bool {
	f := flock.New(filepath.Join(home, lockName), flock.SetFlag(os.O_RDONLY))
	ok, err := f.TryRLock()
	if ok {
		f.Unlock()
	}
	return !ok && err == nil
}

// Release gives the ownership back. Close the store first.
func (l *Lock) Release() error {
	if err := l.file.Unlock(); err != nil {
		return fmt.Errorf("unlock %s: %w", l.home, cause(err))
	}
	return nil
}
