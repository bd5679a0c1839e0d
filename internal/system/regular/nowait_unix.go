//go:build unix

package regular

import "syscall"

// noWait has open return at once where there is a pipe or a device, and makes
// no terminal ours.
const noWait = syscall.O_NONBLOCK | syscall.O_NOCTTY
