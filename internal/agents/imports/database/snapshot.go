package database

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"time"

	"recollect/internal/system/regular"
)

// suffixes are the suffixes of a database's files: none for the database itself, and those of the files
// that SQLite writes next to it for transactions that are not yet in the database, and for undoing one.
var suffixes = []string{"", "-wal", "-journal"}

// maxCopies is the number of attempts to copy a database that changes meanwhile.
const maxCopies = 3

// maxDatabase is the largest size in bytes of one file of a database.
const maxDatabase = 16 << 30

// A stamp shows whether a file has been written to.
type stamp struct {
	size     int64 // in bytes; 0 if there is no file
	modified time.Time
}

// live reports whether a database consists of more than its main file.
func live(path string) bool {
	return slices.ContainsFunc(suffixes[1:], func(end string) bool {
		fi, err := os.Stat(path + end)
		return err == nil && fi.Size() > 0
	})
}

// copyDatabase copies a database with its companion files, so that SQLite can restore the last committed
// transactions. SQLite creates the index of the log (-shm) again.
func copyDatabase(from, to string) error {
	for range maxCopies {
		before, err := stampsOf(from)
		if err != nil {
			return err
		}
		for _, end := range suffixes {
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
	// If this file is gone by now, the copy of an earlier attempt must not stay.
	if err := os.Remove(to); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	in, err := regular.Open(from)
	if err != nil {
		return err
	}
	defer in.Close()
	out, err := os.OpenFile(to, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return err
	}
	content, err := regular.From(in, 0)
	if err == nil {
		_, err = io.Copy(out, content)
	}
	return errors.Join(err, out.Close())
}

// stampsOf reads the stamps of a database and its companion files by their paths, so that removing or
// recreating a log counts as a change.
func stampsOf(path string) ([]stamp, error) {
	var out []stamp
	for _, end := range suffixes {
		fi, err := os.Stat(path + end)
		switch {
		case err == nil && fi.Size() > maxDatabase:
			return nil, fmt.Errorf("read database %s: has more than %d GiB", path+end, maxDatabase>>30)
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
