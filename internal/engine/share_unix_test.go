//go:build unix

package engine

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"recollect/internal/api"
)

// Nothing in a repository keeps who shares waiting.
func TestShareDoesNotHang(t *testing.T) {
	pipe := func(name string) func(dir string) error {
		return func(dir string) error {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.RemoveAll(path); err != nil {
				return err
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				return err
			}
			return syscall.Mkfifo(path, 0o600)
		}
	}
	huge := func(name string) func(dir string) error {
		return func(dir string) error {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
				return err
			}
			f, err := os.Create(path)
			if err != nil {
				return err
			}
			defer f.Close()
			return f.Truncate(1 << 40)
		}
	}
	link := func(name, to string) func(dir string) error {
		return func(dir string) error { return os.Symlink(to, filepath.Join(dir, filepath.FromSlash(name))) }
	}
	tests := []struct {
		name  string
		spoil func(dir string) error
	}{
		{"folder of the team is a pipe", pipe(".recollect")},
		{"file of the team is a pipe", pipe(".recollect/decision-1.md")},
		{"file of the team is huge", huge(".recollect/decision-1.md")},
		{"folder of the team leads to itself", link(".recollect", ".recollect")},
		{"source is a pipe", pipe("src/pool.go")},
		{"source is huge", huge("src/pool.go")},
		{"source is a device without end", link("pool.go", "/dev/zero")},
		{"folder that leads to itself", link("loop", ".")},
		{"settings of git are a pipe", pipe(".git/config")},
		{"settings of git are huge", huge(".git/config2")},
		{"index of a pack is a pipe", pipe(".git/objects/pack/pack-1.idx")},
		{"steps of git are a pipe", pipe(".git/logs/HEAD")},
		{"common folder is a pipe", pipe(".git/commondir")},
		{"sparse checkout is a pipe", pipe(".git/info/sparse-checkout")},
		{"lock of git", huge(".git/index.lock")},
		{"file of the repository's wishes is a pipe", pipe(".recollect.toml")},
	}
	r := start(t, newHome(t))
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := &colleague{running: r, dir: checkout(t, "example.com/team/pool")}
			id := c.decide("The retryLoop of the pool at pool.example.com hides the cause, see commit 1a2b3c4d")
			if err := tt.spoil(c.dir); err != nil {
				t.Skip(err)
			}
			ended := make(chan error, 1)
			go func() {
				_, err := r.Teams.Share(t.Context(), api.Share{Cwd: c.dir, IDs: []string{id}, Author: "Ana Example"})
				ended <- err
			}()
			select {
			case err := <-ended:
				t.Log(err)
			case <-time.After(20 * time.Second):
				t.Fatal("it hangs")
			}
		})
	}
}
