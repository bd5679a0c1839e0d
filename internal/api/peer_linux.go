package api

import (
	"net"
	"syscall"

	"recollect/internal/trust"
)

// PeerAllowed reports whether the process at the other end belongs to the
// same user, or to root.
func PeerAllowed(conn net.Conn) bool {
	unix, ok := conn.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := unix.SyscallConn()
	if err != nil {
		return false
	}
	var cred *syscall.Ucred
	err2 := raw.Control(func(fd uintptr) {
		cred, err = syscall.GetsockoptUcred(int(fd), syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	})
	return err == nil && err2 == nil && trust.IsUser(cred.Uid)
}
