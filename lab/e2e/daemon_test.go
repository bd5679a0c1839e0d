//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"syscall"
	"testing"
)

// stopDaemon ends the world's daemon, by force where it does not obey.
func (w *world) stopDaemon(t *testing.T) {
	t.Helper()
	s, ok := w.status(t)
	if !ok || s.PID == 0 {
		return
	}
	if _, err := w.client.run(cleanupContext(t), w.recollect(), "daemon", "stop"); err != nil {
		t.Errorf("daemon stop: %v", err)
	}
	if !within(patience, func() bool { return !alive(s.PID) }) {
		t.Errorf("daemon %d: still there %v after its stop", s.PID, patience)
		kill(t, s.PID)
	}
}

func kill(t *testing.T, pid int) {
	t.Helper()
	p, err := os.FindProcess(pid)
	if err == nil {
		err = p.Kill()
	}
	if err != nil {
		t.Errorf("kill daemon %d: %v", pid, err)
	}
}

// alive reports whether a process runs. In a container nobody may collect a
// dead daemon: Linux then still shows it, as a zombie.
func alive(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil || p.Signal(syscall.Signal(0)) != nil {
		return false
	}
	stat, _ := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	return !bytes.Contains(stat, []byte(") Z "))
}

// cleanupContext outlives the test: t.Context ends before cleanups run.
func cleanupContext(t *testing.T) context.Context { return context.WithoutCancel(t.Context()) }
