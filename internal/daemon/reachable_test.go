//go:build unix

package daemon

import (
	"errors"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/system/durable"
)

// A daemon whose socket, lock or folder is no longer its own ends, leaves what is another's alone,
// and makes nothing that was removed again.
func TestEndsWhenUnreachable(t *testing.T) {
	tests := []struct {
		name string
		lose func(t *testing.T, home string)
		left string // a file that has to be there at the end
		gone string // one that must not
	}{
		{"socket removed", func(t *testing.T, home string) { remove(t, api.SocketPath(home)) }, "daemon.lock", "recollect.sock"},
		{"socket replaced", func(t *testing.T, home string) {
			remove(t, api.SocketPath(home))
			l, err := net.Listen("unix", api.SocketPath(home))
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { l.Close() })
		}, "recollect.sock", ""},
		{"a file in the place of the socket", func(t *testing.T, home string) {
			remove(t, api.SocketPath(home))
			write(t, api.SocketPath(home))
		}, "recollect.sock", ""},
		{"lock removed", func(t *testing.T, home string) { remove(t, filepath.Join(home, "daemon.lock")) }, "memories", "daemon.lock"},
		{"folder moved", func(t *testing.T, home string) { move(t, home) }, "", "memories"},
		{"folder moved, another in its place", func(t *testing.T, home string) {
			move(t, home)
			if err := os.Mkdir(home, 0o700); err != nil {
				t.Fatal(err)
			}
			write(t, api.SocketPath(home))
		}, "recollect.sock", "sessions"},
		{"folder removed", func(t *testing.T, home string) {
			for end := time.Now().Add(patience); os.RemoveAll(home) != nil; { // the daemon still writes to it
				if time.Now().After(end) {
					t.Fatal("the folder cannot be removed")
				}
			}
		}, "", "sessions"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel() // the daemon looks once a second
			home := newHome(t)
			r := start(t, home)
			r.remember("the pool has 40 connections")
			if _, err := r.Recollect(t.Context(), api.Prompt{SessionID: "s1", Prompt: "pool connections?"}); err != nil {
				t.Fatal(err)
			}
			for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) { // what was under way is written
				if files, _ := os.ReadDir(filepath.Join(home, "sessions")); len(files) > 0 && !slices.ContainsFunc(files, isTemporary) {
					break
				}
				if time.Now().After(end) {
					t.Fatal("the session was not saved")
				}
			}
			tt.lose(t, home)
			err := r.wait()
			r.ended <- err
			if err != nil {
				t.Errorf("Run() = %v", err)
			}
			if _, err := os.Lstat(filepath.Join(home, tt.left)); tt.left != "" && err != nil {
				t.Errorf("%s: %v, want it left", tt.left, err)
			}
			if _, err := os.Lstat(filepath.Join(home, tt.gone)); tt.gone != "" && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: %v, want none", tt.gone, err)
			}
		})
	}
}

func isTemporary(e fs.DirEntry) bool { return strings.HasPrefix(e.Name(), durable.TempPrefix) }

// A daemon that can still be reached, because its socket lies elsewhere, answers nothing once its
// folder was removed: the client would take the old memories for the new folder's.
func TestLostFolderIsNotServed(t *testing.T) {
	t.Setenv("TMPDIR", newHome(t))
	home := filepath.Join(newHome(t), strings.Repeat("deep/", 30))
	r := start(t, home)
	r.remember("the pool has 40 connections")
	move(t, home)
	if _, err := r.Search(t.Context(), api.Search{Query: "pool", Limit: 1}); err == nil || !errors.Is(err, api.ErrNoDaemon) {
		t.Errorf("Search() = %v, want %v", err, api.ErrNoDaemon)
	}
	next := start(t, home)
	if got := next.search("pool"); len(got) != 0 {
		t.Errorf("the next daemon finds %q, want nothing", got)
	}
}

// A folder that cannot be written to is recalled from: the daemon listens elsewhere.
func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	t.Setenv("TMPDIR", newHome(t))
	home := newHome(t)
	r := start(t, home)
	r.remember("the pool has 40 connections")
	r.until("it has a vector", func() bool { h, ok := r.answers(); return ok && h.Embedded == 1 })
	r.end()
	chmodAll(t, home, 0o500)
	t.Cleanup(func() { chmodAll(t, home, 0o700) })
	r = start(t, home)
	r.until("it is found", func() bool { return len(r.search("pool")) == 1 })
	if h, err := r.Health(t.Context()); err != nil || h.Embedded != 1 {
		t.Errorf("Health() has %d vectors, %v, want 1", h.Embedded, err)
	}
	_, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(note("the cache has 90 entries"))})
	if err == nil || !strings.Contains(err.Error(), "permission denied") {
		t.Errorf("Remember() = %v, want permission denied", err)
	}
	chmodAll(t, home, 0o700)
	err = r.wait()
	r.ended <- err
	if err != nil {
		t.Errorf("Run() = %v, want it to end once it can write", err)
	}
	start(t, home).remember("the cache has 90 entries")
}

// What is in the place of the socket is removed if it is a socket or a file; what is in a folder may
// be needed.
func TestFolderInPlaceOfTheSocket(t *testing.T) {
	home := newHome(t)
	path := api.SocketPath(home)
	if err := os.MkdirAll(filepath.Join(path, "x"), 0o700); err != nil {
		t.Fatal(err)
	}
	start(t, home)
	if _, err := os.Stat(filepath.Join(path+asideSuffix, "x")); err != nil {
		t.Errorf("the folder: %v, want it moved aside", err)
	}
}

// A daemon that gives way leaves no guard behind, with which nobody would start another should the
// one that runs end.
func TestGivesWayWithoutGuard(t *testing.T) {
	home := newHome(t)
	start(t, home)
	write(t, api.GuardPath(home))
	other := launch(t, home, "1.0.0")
	if err := other.wait(); err != nil {
		t.Errorf("Run() = %v", err)
	}
	other.ended <- nil
	if _, err := os.Lstat(api.GuardPath(home)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the guard of a daemon that gave way: %v, want none", err)
	}
}

func TestPID(t *testing.T) {
	home := newHome(t)
	if _, err := PID(home); !errors.Is(err, api.ErrNoDaemon) {
		t.Errorf("PID() without a daemon = %v, want %v", err, api.ErrNoDaemon)
	}
	r := start(t, home)
	pid, err := PID(home)
	if errors.Is(err, errors.ErrUnsupported) {
		t.Skip(err)
	}
	if err != nil || pid != os.Getpid() {
		t.Errorf("PID() = %d, %v, want %d", pid, err, os.Getpid())
	}
	r.stop()
	if err := WaitForEnd(t.Context(), home); err != nil {
		t.Errorf("WaitForEnd() = %v", err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
}

func move(t *testing.T, path string) {
	t.Helper()
	path = filepath.Clean(path)
	if err := os.Rename(path, path+".old"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(path + ".old") })
}

func write(t *testing.T, path string) {
	t.Helper()
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
}

func chmodAll(t *testing.T, dir string, mode fs.FileMode) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type()&fs.ModeSocket == 0 {
			err = os.Chmod(path, mode)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
