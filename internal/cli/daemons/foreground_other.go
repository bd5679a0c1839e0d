//go:build !windows

package daemons

import (
	"os"

	"golang.org/x/sys/unix"
)

// isForeground reports whether a terminal is this process's to read from. The shell would stop a command in the
// background that does.
func isForeground(terminal *os.File) bool {
	group, err := unix.IoctlGetInt(int(terminal.Fd()), unix.TIOCGPGRP)
	return err == nil && group == unix.Getpgrp()
}
