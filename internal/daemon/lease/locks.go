package lease

import (
	"errors"
	"fmt"
	"os"

	"github.com/gofrs/flock"

	"recollect/internal/system/durable"
)

// ErrNoLocks means that locks do not keep two daemons from serving a folder. The caller should leave
// the folder alone.
var ErrNoLocks = errors.New("locks do not hold on its file system")

// Locks returns ErrNoLocks if the lock on a file in dir cannot be taken, or can be taken twice. A
// read-only folder needs no lock.
func Locks(dir string) error {
	f, err := os.CreateTemp(dir, durable.TempPrefix+"*")
	if err != nil {
		return nil
	}
	path := f.Name()
	f.Close()
	defer os.Remove(path)
	first, second := flock.New(path), flock.New(path)
	defer first.Close()
	defer second.Close()
	if _, err := first.TryLock(); err != nil {
		return fmt.Errorf("lock %s: %w: %w", dir, ErrNoLocks, err)
	}
	if twice, err := second.TryLock(); twice || err != nil {
		return fmt.Errorf("lock %s: %w: two have it at once", dir, ErrNoLocks)
	}
	return nil
}
