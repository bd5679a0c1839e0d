//go:build unix

package regular

import "syscall"

// noWait makes open return at once for a pipe or a device, and keeps a terminal from becoming ours.
const noWait = syscall.O_NONBLOCK | syscall.O_NOCTTY
