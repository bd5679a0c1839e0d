//go:build unix

package api

import (
	"fmt"
	"os"
	"syscall"
)

// checkOwner refuses a folder that belongs to somebody else: whoever owns it
// could put a socket of their own there.
func checkOwner(dir string) error {
	fi, err := os.Stat(dir)
	if err != nil {
		return fmt.Errorf("look at folder: %w", err)
	}
	if st, ok := fi.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("open folder %s: belongs to another user", dir)
	}
	return nil
}

// detached makes a child that outlives its parent and its terminal.
func detached() *syscall.SysProcAttr { return &syscall.SysProcAttr{Setsid: true} }

const exeSuffix = ""
