package store

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"recollect/internal/memory"
)

func TestAcquire(t *testing.T) {
	home := filepath.Join(t.TempDir(), "new", "home")
	first, err := Acquire(home)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Acquire(home); !errors.Is(err, ErrLocked) {
		t.Errorf("second Acquire() = %v, want %v", err, ErrLocked)
	}
	if err := first.Release(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(home, lockName)); err != nil {
		t.Errorf("the lock file must stay: %v", err)
	}
	if _, err := Open(first, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("Open() with a released lock = nil, want an error")
	}
	second, err := Acquire(home)
	if err != nil {
		t.Fatalf("Acquire() after Release() = %v", err)
	}
	if err := second.Release(); err != nil {
		t.Fatal(err)
	}
}

// What was acknowledged lies in the folder that the user sees: a store whose folder was removed or
// replaced stores nothing more.
func TestLostFolder(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows removes no file that is open")
	}
	tests := []struct {
		name string
		lose func(home string) error
	}{
		{"removed", func(home string) error { return os.RemoveAll(home) }},
		{"moved", func(home string) error { return os.Rename(home, home+".old") }},
		{"moved, another in its place", func(home string) error {
			return errors.Join(os.Rename(home, home+".old"), os.CopyFS(home, os.DirFS(home+".old")))
		}},
		{"lock removed", func(home string) error { return os.Remove(filepath.Join(home, lockName)) }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := filepath.Join(t.TempDir(), "home")
			lock, err := Acquire(home)
			if err != nil {
				t.Fatal(err)
			}
			defer lock.Release()
			s := open(t, lock)
			add(t, s, note("before"))
			if err := lock.Held(); err != nil || !Owned(home) {
				t.Errorf("Held() = %v, Owned() = %t, want it owned", err, Owned(home))
			}
			if err := tt.lose(home); err != nil {
				t.Fatal(err)
			}
			if err := lock.Held(); !errors.Is(err, ErrLost) || Owned(home) {
				t.Errorf("afterwards Held() = %v, Owned() = %t, want %v", err, Owned(home), ErrLost)
			}
			for what, err := range map[string]error{
				"Append()":  s.Append(cleaned(note("after"))...),
				"Compact()": s.Compact(memory.Inbox),
				"Scrub()":   s.Scrub(func([]byte) bool { return true }),
			} {
				if !errors.Is(err, ErrLost) {
					t.Errorf("%s = %v, want %v", what, err, ErrLost)
				}
			}
			next, err := Acquire(home)
			if err != nil {
				t.Fatalf("Acquire() by the next = %v", err)
			}
			if err := next.Release(); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows has no modes")
	}
	home := filepath.Join(t.TempDir(), "home")
	lock, err := Acquire(home)
	if err != nil {
		t.Fatal(err)
	}
	defer lock.Release()
	add(t, open(t, lock), note("x"))
	want := map[string]os.FileMode{
		home:                          0o700,
		filepath.Join(home, lockName): 0o600,
		filepath.Join(home, folder):   0o700,
		logPath(lock, memory.Inbox):   0o600,
	}
	for path, mode := range want {
		fi, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := fi.Mode().Perm(); got != mode {
			t.Errorf("mode of %s = %o, want %o", filepath.Base(path), got, mode)
		}
	}
}

// A log of another user counts as one that cannot be read.
func TestForeignLog(t *testing.T) {
	lock := own(t)
	s := open(t, lock)
	add(t, s, note("mine"))
	path := logPath(lock, memory.Inbox)
	if err := errors.Join(os.Remove(path), os.Symlink(filepath.Join(t.TempDir(), "precious"), path)); err != nil {
		t.Fatal(err)
	}
	if err := os.Lchown(path, 60001, 60001); err != nil {
		t.Skip("only root can give a file away: ", err)
	}
	if err := s.Append(cleaned(note("more"))...); !errors.Is(err, ErrUnreadable) {
		t.Errorf("Append() = %v, want %v", err, ErrUnreadable)
	}
}
