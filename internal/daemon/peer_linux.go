package daemon

import (
	"net"

	"golang.org/x/sys/unix"

	"recollect/internal/api"
)

// peerAllowed reports whether the process at the other end belongs to the
// same user, or to root.
func peerAllowed(conn net.Conn) bool { return api.PeerAllowed(conn) }

// peerPID returns the process at the other end.
func peerPID(conn net.Conn) (int, error) {
	var cred *unix.Ucred
	err := withDescriptor(conn, func(fd int) (err error) {
		cred, err = unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
		return err
	})
	if err != nil {
		return 0, err
	}
	return int(cred.Pid), nil
}
