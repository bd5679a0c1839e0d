package daemon

import (
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// peerAllowed reports whether the process at the other end belongs to the same user or
// to root.
func peerAllowed(conn net.Conn) bool {
	socket, ok := conn.(*net.UnixConn)
	if !ok {
		return false
	}
	raw, err := socket.SyscallConn()
	if err != nil {
		return false
	}
	var cred *unix.Xucred
	err2 := raw.Control(func(fd uintptr) {
		cred, err = unix.GetsockoptXucred(int(fd), unix.SOL_LOCAL, unix.LOCAL_PEERCRED)
	})
	return err == nil && err2 == nil && (int(cred.Uid) == os.Geteuid() || cred.Uid == 0)
}
