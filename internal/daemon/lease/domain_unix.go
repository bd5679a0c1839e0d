//go:build unix

package lease

import (
	"os"
	"strconv"
	"syscall"
)

// domain names the kernel and the mount within which a lock on a file in dir holds. The kernel is named
// by the random id of its start, which all containers on it share. The mount counts, because a kernel may
// keep separate locks for each mount of a network file system.
func domain(dir string) string {
	name := kernel()
	if fi, err := os.Stat(dir); err == nil {
		if st, ok := fi.Sys().(*syscall.Stat_t); ok {
			name += ":" + strconv.FormatUint(uint64(st.Dev), 16)
		}
	}
	return name
}

// hostname names the kernel if its id is unknown.
func hostname() string {
	name, _ := os.Hostname()
	return name
}
