//go:build unix

package memory

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// A folder from anywhere may hold pipes and devices where git has files. They
// are never opened: that might wait, or read, without end.
func TestFindProjectOpensFilesOnly(t *testing.T) {
	root := layout(t, map[string]string{
		"pipe/":              "",
		"zero/":              "",
		"config/.git/HEAD":   head,
		"logs/.git/HEAD":     head,
		"logs/.git/logs/":    "",
		"common/.git/HEAD":   head,
		"common/.git/config": config,
	})
	for _, pipe := range []string{"pipe/.git", "config/.git/config", "logs/.git/logs/HEAD", "common/.git/commondir"} {
		if err := syscall.Mkfifo(filepath.Join(root, pipe), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("/dev/zero", filepath.Join(root, "zero", ".git")); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"pipe", "zero", "config", "logs", "common"} {
		found := make(chan Project, 1)
		go func() {
			p := FindProject(filepath.Join(root, dir), "")
			p.LastStep()
			found <- p
		}()
		select {
		case p := <-found:
			if p.Name != dir {
				t.Errorf("%s: found %+v", dir, p)
			}
		case <-time.After(5 * time.Second):
			t.Fatalf("%s: FindProject does not return", dir)
		}
	}
}
