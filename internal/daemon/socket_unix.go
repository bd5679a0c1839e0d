//go:build unix

package daemon

import (
	"io/fs"
	"net"
	"os"
	"syscall"
)

func sameFile(a, b fs.FileInfo) bool { return os.SameFile(a, b) }

// listenPrivate listens on a socket that nobody else can open, not even for
// the moment before its mode is set.
func listenPrivate(path string) (net.Listener, error) {
	old := syscall.Umask(0o177)
	defer syscall.Umask(old)
	return net.Listen("unix", path)
}
