//go:build windows

package daemon

import (
	"io/fs"
	"net"
	"unsafe"

	"golang.org/x/sys/windows"

	"recollect/internal/api"
)

// peerPID returns the process at the other end.
func peerPID(conn *api.Conn) (int, error) {
	const getPeerPID = 0x58000100 // SIO_AF_UNIX_GETPEERPID
	var pid, n uint32
	err := withDescriptor(conn.Conn, func(fd int) error {
		return windows.WSAIoctl(windows.Handle(fd), getPeerPID, nil, 0, (*byte)(unsafe.Pointer(&pid)), uint32(unsafe.Sizeof(pid)), &n, nil, 0)
	})
	return int(pid), err
}

// sameFile is always true, because os.SameFile cannot open sockets on Windows. Their times differ.
func sameFile(_, _ fs.FileInfo) bool { return true }

// listenPrivate listens on a socket in a folder that only its owner can enter.
func listenPrivate(path string) (net.Listener, error) { return net.Listen("unix", path) }

// peerAllowed is always true, because others cannot enter the folder.
func peerAllowed(net.Conn) bool { return true }
