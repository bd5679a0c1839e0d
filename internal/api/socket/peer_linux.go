package socket

import (
	"syscall"

	"recollect/internal/system/trust"
)

// IsPeerAllowed reports whether the process at the other end belongs to the
// same user or to root.
func IsPeerAllowed(c *Conn) bool {
	cred, err := syscall.GetsockoptUcred(c.fd, syscall.SOL_SOCKET, syscall.SO_PEERCRED)
	return err == nil && trust.IsUser(cred.Uid)
}
