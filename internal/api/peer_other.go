//go:build !linux

package api

import "net"

// PeerAllowed relies on the owner of the folder and of the socket, which were checked
// before.
func PeerAllowed(net.Conn) bool { return true }
