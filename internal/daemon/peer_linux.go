package daemon

import (
	"net"

	"recollect/internal/api"
)

// peerAllowed reports whether the process at the other end belongs to the
// same user, or to root.
func peerAllowed(conn net.Conn) bool { return api.PeerAllowed(conn) }
