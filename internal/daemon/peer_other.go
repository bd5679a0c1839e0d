//go:build unix && !linux && !darwin

package daemon

import (
	"errors"
	"net"

	"recollect/internal/api"
)

// peerAllowed is always true: the modes of the folder and the socket keep others out.
func peerAllowed(net.Conn) bool { return true }

// peerPID returns an error, because this system does not tell.
func peerPID(*api.Conn) (int, error) { return 0, errors.ErrUnsupported }
