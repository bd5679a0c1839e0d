//go:build unix

package durable

import (
	"errors"
	"os"
	"syscall"
)

// SyncFolder makes the names in dir durable. Otherwise a new or renamed file can vanish in a power loss
// although its content was synced.
func SyncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil // some network file systems cannot sync a folder
	}
	return err
}
