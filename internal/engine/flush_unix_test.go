//go:build unix

package engine

import (
	"path/filepath"
	"syscall"
	"testing"
)

// oddFiles makes files that a read of would never end.
func oddFiles(t *testing.T, dir string) []string {
	t.Helper()
	fifo := filepath.Join(dir, "fifo.jsonl")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	return []string{fifo, "/dev/zero", "/dev/tty"}
}
