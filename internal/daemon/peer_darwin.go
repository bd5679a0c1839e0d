package daemon

import (
	"net"

	"golang.org/x/sys/unix"

	"recollect/internal/api"
	"recollect/internal/system/trust"
)

// peerAllowed reports whether the process at the other end belongs to the same user or
// to root.
func peerAllowed(conn net.Conn) bool {
	var cred *unix.Xucred
	err := withDescriptor(conn, func(fd int) (err error) {
		cred, err = unix.GetsockoptXucred(fd, unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
		return err
	})
	return err == nil && trust.IsUser(cred.Uid)
}

// peerPID returns the process at the other end.
func peerPID(conn *api.Conn) (int, error) {
	return unix.GetsockoptInt(conn.Descriptor(), unix.SOL_LOCAL, unix.LOCAL_PEERPID)
}
