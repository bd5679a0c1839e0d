//go:build !linux

package api

// peerAllowed relies on the owner of the folder and of the socket, which were checked
// before.
func peerAllowed(*Conn) bool { return true }
