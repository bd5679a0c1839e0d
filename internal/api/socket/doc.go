// Package socket connects a client with the daemon. It links no network library on Unix: that would take a
// tenth of the time of every hook.
package socket
