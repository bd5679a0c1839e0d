package daemon

import (
	"net"

	"golang.org/x/sys/unix"

	"recollect/internal/api"
	"recollect/internal/system/trust"
)

// peerAllowed reports whether the process at the other end belongs to the
// same user or to root.
func peerAllowed(conn net.Conn) bool {
	var cred *unix.Ucred
	err := withDescriptor(conn, func(fd int) (err error) {
		cred, err = unix.GetsockoptUcred(fd, unix.SOL_SOCKET, unix.SO_PEERCRED)
		return err
	})
	return err == nil && trust.IsUser(cred.Uid)
}

// peerPID returns the process at the other end.
func peerPID(conn *api.Conn) (int, error) {
	cred, err := unix.GetsockoptUcred(conn.Descriptor(), unix.SOL_SOCKET, unix.SO_PEERCRED)
	if err != nil {
		return 0, err
	}
	return int(cred.Pid), nil
}
