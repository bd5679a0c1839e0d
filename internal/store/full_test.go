//go:build linux || darwin

package store

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

const fullEnv = "RECOLLECT_STORE_TEST_FULL"

// TestFullDisk runs in a process of its own, which may write no file beyond a
// size: the system then writes what fits and refuses the rest, as a full disk
// does.
func TestFullDisk(t *testing.T) {
	if os.Getenv(fullEnv) != "" {
		fillDisk(t)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$")
	cmd.Env = append(os.Environ(), fullEnv+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func fillDisk(t *testing.T) {
	signal.Ignore(syscall.SIGXFSZ)
	lock := own(t)
	s := open(t, lock)
	id := add(t, s, note("one"))[0]
	before := fileText(t, logPath(lock, memory.Inbox))
	marks := s.Marks()
	roomy := limitFiles(t, uint64(len(before))+100)
	big := note(strings.Repeat("x", 5000))
	err := s.Append(cleaned(big)...)
	if err == nil || !errors.Is(err, syscall.EFBIG) || err.Error() != "append to inbox.jsonl: file too large" {
		t.Errorf("Append() = %v, want append to inbox.jsonl: file too large", err)
	}
	if got := fileText(t, logPath(lock, memory.Inbox)); got != before {
		t.Errorf("the log has %d bytes, want no half line behind its %d", len(got), len(before))
	}
	if m, err := s.Get(id); err != nil || m.Text != "one" {
		t.Errorf("Get() = %q, %v on a full disk", m.Text, err)
	}
	if diff := cmp.Diff(marks, s.Marks()); diff != "" {
		t.Errorf("Marks() after a failed append, -before +after:\n%s", diff)
	}
	limitFiles(t, uint64(len(before))-10)
	if _, err := s.Delete(time.Time{}, id); err == nil {
		t.Error("Delete() on a full disk = nil, want an error")
	}
	if err := s.Compact(memory.Inbox); err == nil || !errors.Is(err, syscall.EFBIG) {
		t.Errorf("Compact() on a full disk = %v, want %v", err, syscall.EFBIG)
	}
	limitFiles(t, roomy)
	add(t, s, big)
	shut(t, s)
	if diff := cmp.Diff([]string{"one", big.Text}, texts(t, open(t, lock))); diff != "" {
		t.Errorf("All() once there is space again, -want +got:\n%s", diff)
	}
}

// limitFiles lets this process make no file longer than n, and returns what
// the limit was.
func limitFiles(t *testing.T, n uint64) uint64 {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	old := limit.Cur
	limit.Cur = n
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	return old
}

func TestReadOnly(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everything")
	}
	lock := own(t)
	edit(t, lock, memory.Inbox, plain(t, note("one"))+`{"torn`)
	path := logPath(lock, memory.Inbox)
	chmod(t, path, 0o400)
	chmod(t, lock.home+"/"+folder, 0o500)
	s := open(t, lock)
	if err := s.Append(cleaned(note("two"))...); !errors.Is(err, os.ErrPermission) {
		t.Errorf("Append() = %v, want %v", err, os.ErrPermission)
	}
	if err := s.Append(cleaned(memory.Memory{Source: memory.Goals, Text: "x"})...); !errors.Is(err, os.ErrPermission) {
		t.Errorf("Append() to a new log = %v, want %v", err, os.ErrPermission)
	}
	if diff := cmp.Diff([]string{"one"}, texts(t, s)); diff != "" {
		t.Errorf("All(), -want +got:\n%s", diff)
	}
	chmod(t, lock.home+"/"+folder, 0o700)
	chmod(t, path, 0o600)
	add(t, s, note("two"))
	if diff := cmp.Diff([]string{"one", "two"}, texts(t, s)); diff != "" {
		t.Errorf("All() once it may be written, -want +got:\n%s", diff)
	}
}

func chmod(t *testing.T, path string, mode os.FileMode) {
	t.Helper()
	if err := os.Chmod(path, mode); err != nil {
		t.Fatal(err)
	}
}
