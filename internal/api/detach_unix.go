//go:build unix

package api

import "syscall"

// detached returns the attributes of a child that outlives its parent and its terminal.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

const exeSuffix = ""
