//go:build unix

package lease

import (
	"os"
	"strconv"
	"syscall"
)

// domain names where a lock on a file in dir holds: the kernel, by what it drew when it started, so
// that all containers on it are one machine, and the mount, because a kernel that has a network file
// system mounted twice may keep the locks of each apart.
func domain(dir string) string {
	name := kernel()
	if fi, err := os.Stat(dir); err == nil {
		if st, ok := fi.Sys().(*syscall.Stat_t); ok {
			name += ":" + strconv.FormatUint(uint64(st.Dev), 16)
		}
	}
	return name
}

// hostname stands for the kernel where nothing better is known.
func hostname() string {
	name, _ := os.Hostname()
	return name
}
