//go:build !linux

package socket

// IsPeerAllowed relies on the owner of the folder and of the socket, which were checked
// before.
func IsPeerAllowed(*Conn) bool { return true }
