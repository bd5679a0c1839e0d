// Package socket connects a client to the daemon. On Unix it links no network library, which would
// take a tenth of the time of every hook.
package socket
