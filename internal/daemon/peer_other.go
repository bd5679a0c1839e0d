//go:build unix && !linux && !darwin

package daemon

import "net"

// peerAllowed relies on the folder and the mode of the socket.
func peerAllowed(net.Conn) bool { return true }
