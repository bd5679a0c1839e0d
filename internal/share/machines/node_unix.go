//go:build unix

package machines

import (
	"io/fs"
	"syscall"
)

func nodeOf(fi fs.FileInfo) uint64 {
	if st, ok := fi.Sys().(*syscall.Stat_t); ok {
		return st.Ino
	}
	return 0
}
