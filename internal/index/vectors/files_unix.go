//go:build unix

package vectors

import (
	"errors"
	"os"
	"syscall"
)

// mapFile maps the first size bytes of f, which are more than 0, for reading.
func mapFile(f *os.File, size int64) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, int(size), syscall.PROT_READ, syscall.MAP_SHARED)
}

func unmapFile(mapped []byte) error {
	if mapped == nil {
		return nil
	}
	return syscall.Munmap(mapped)
}

// syncFolder makes the names in dir durable: a renamed file can otherwise
// vanish in a power loss although its content was synced.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	err = d.Sync()
	if errors.Is(err, syscall.EINVAL) || errors.Is(err, syscall.ENOTSUP) {
		return nil // some network file systems know no sync of a folder
	}
	return err
}
