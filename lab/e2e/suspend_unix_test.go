//go:build e2e && unix

package e2e

import (
	"os"
	"syscall"
	"testing"
)

// suspend stops a process until resume.
func suspend(t *testing.T, p *os.Process) {
	t.Helper()
	if err := p.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
}

func resume(p *os.Process) { p.Signal(syscall.SIGCONT) }
