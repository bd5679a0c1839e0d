package foreign

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"
)

// beside are the files that SQLite keeps beside a database: what is committed
// but not in the database yet, and what a transaction may have to undo.
var beside = []string{"-wal", "-journal"}

// copies is how often a database that changes meanwhile is copied.
const copies = 3

// A stamp tells whether a file was written to.
type stamp struct {
	size     int64 // in bytes; 0 where there is no file
	modified time.Time
}

// live reports whether there is more of a database than its file.
func live(path string) bool {
	for _, end := range beside {
		if fi, err := os.Stat(path + end); err == nil && fi.Size() > 0 {
			return true
		}
	}
	return false
}

// copyDatabase copies a database with what lies beside it, so that SQLite can
// put together what was committed last. The index of the log (-shm) is made
// anew.
func copyDatabase(from, to string) error {
	for range copies {
		before, err := stampsOf(from)
		if err != nil {
			return err
		}
		for _, end := range append([]string{""}, beside...) {
			if err := copyFile(from+end, to+end); err != nil && (end == "" || !errors.Is(err, fs.ErrNotExist)) {
				return err
			}
		}
		after, err := stampsOf(from)
		if err != nil {
			return err
		}
		if slices.Equal(before, after) {
			return nil
		}
	}
	return fmt.Errorf("copy database %s: %w", from, errChanged)
}

func copyFile(from, to string) error {
	// What an earlier try has left must not stay if this file is gone by now.
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	in, err := os.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	return errors.Join(err, out.Close())
}

// stampsOf looks at a database and at what lies beside it, by their paths: a
// log that was removed or made anew is a change.
func stampsOf(path string) ([]stamp, error) {
	var out []stamp
	for _, end := range append([]string{""}, beside...) {
		fi, err := os.Stat(path + end)
		switch {
		case err == nil:
			out = append(out, stamp{fi.Size(), fi.ModTime()})
		case end != "" && errors.Is(err, fs.ErrNotExist):
			out = append(out, stamp{})
		default:
			return nil, err
		}
	}
	return out, nil
}
