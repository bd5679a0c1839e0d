//go:build windows

package api

import "syscall"

// detached returns the attributes of a child that outlives its parent and its console.
func detached() *syscall.SysProcAttr {
	const detachedProcess = 0x00000008
	return &syscall.SysProcAttr{
		CreationFlags: detachedProcess | syscall.CREATE_NEW_PROCESS_GROUP,
		HideWindow:    true,
	}
}

const exeSuffix = ".exe"
