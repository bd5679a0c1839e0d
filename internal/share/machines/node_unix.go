//go:build unix

package machines

import (
	"io/fs"
	"syscall"
)

// nodeOf returns the inode number of a folder.
func nodeOf(fi fs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}
