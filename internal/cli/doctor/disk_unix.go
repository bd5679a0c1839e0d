//go:build linux || darwin || freebsd

package doctor

import (
	"io/fs"
	"syscall"
)

// openToOthers reports whether other users can enter or read a file or folder.
func openToOthers(fi fs.FileInfo) bool { return fi.Mode().Perm()&0o077 != 0 }

// freeSpace returns how many bytes a user can still write to the disk of dir,
// or -1.
func freeSpace(dir string) int64 {
	var s syscall.Statfs_t
	if syscall.Statfs(dir, &s) != nil {
		return -1
	}
	return int64(s.Bavail) * int64(s.Bsize)
}
