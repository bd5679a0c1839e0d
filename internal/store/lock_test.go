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
