//go:build unix

package git

import (
	"os/exec"
	"syscall"
)

// endGroup makes the deadline also end the programs that git started.
func endGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) }
}
