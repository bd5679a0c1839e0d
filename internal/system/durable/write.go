package durable

import (
	"errors"
	"os"
	"path/filepath"
)

// TempPrefix begins the names of WriteFile's temporary files. A process that is killed leaves them
// behind.
const TempPrefix = ".new-"

// WriteFile replaces the file at path with b in one step, so that readers find the old content or the
// new. It makes the folder if necessary. It does not wait for the disk, so a power loss may undo it.
//
// It sets perm only if that is not the usual 0600, because some file systems have no permissions.
func WriteFile(path string, b []byte, perm os.FileMode) error {
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	temp, err := os.CreateTemp(dir, TempPrefix+"*")
	if err != nil {
		return err
	}
	return replace(path, temp, func(f *os.File) error {
		if _, err := f.Write(b); err != nil || perm == 0o600 {
			return err
		}
		return f.Chmod(perm)
	})
}

// Replace replaces the file at path in one step with a new file that write fills. The new file is called
// temp until it is complete. After Replace returns, a power loss cannot undo it.
func Replace(path, temp string, write func(*os.File) error) error {
	f, err := os.OpenFile(temp, os.O_RDWR|os.O_CREATE|os.O_TRUNC, 0o600)
	if err != nil {
		return err
	}
	err = replace(path, f, func(f *os.File) error {
		if err := write(f); err != nil {
			return err
		}
		return f.Sync()
	})
	if err != nil {
		return err
	}
	return SyncFolder(filepath.Dir(path))
}

// replace lets write fill temp, closes it, and moves it to path.
func replace(path string, temp *os.File, write func(*os.File) error) error {
	err := errors.Join(write(temp), temp.Close())
	if err == nil {
		err = os.Rename(temp.Name(), path)
	}
	if err != nil {
		err = errors.Join(err, os.Remove(temp.Name()))
	}
	return err
}
