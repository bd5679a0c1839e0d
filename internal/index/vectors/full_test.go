//go:build linux || darwin

package vectors

import (
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const fullEnv = "RECOLLECT_VECTORS_TEST_FULL"

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
	dir, c := t.TempDir(), newCorpus(31, 64)
	f := openTest(t, dir, 64)
	update(t, f, c.rows(10), nil, []byte("before"))
	before, size := look(f), fileSize(t, f)
	roomy := limitFiles(t, uint64(size)+100)
	if err := f.Update(c.rows(10), []string{testID(1)}, []byte("after")); !errors.Is(err, syscall.EFBIG) {
		t.Errorf("Update() = %v, want %v", err, syscall.EFBIG)
	}
	if got := fileSize(t, f); got != size {
		t.Errorf("the file has %d bytes after a failed update, want %d", got, size)
	}
	limitFiles(t, 100)
	if err := f.Compact(); !errors.Is(err, syscall.EFBIG) {
		t.Errorf("Compact() = %v, want %v", err, syscall.EFBIG)
	}
	if diff := cmp.Diff(before, look(f)); diff != "" {
		t.Errorf("on a full disk, -before +after:\n%s", diff)
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("the folder has %v, %v, want one file", entries, err)
	}
	limitFiles(t, roomy)
	update(t, f, c.rows(10), nil, []byte("later"))
	if f.Len() != 20 || string(f.Watermark()) != "later" {
		t.Errorf("Len(), Watermark() = %d, %q once there is room, want 20, later", f.Len(), f.Watermark())
	}
}

// limitFiles lets this process write files of at most size bytes and returns
// what it might before.
func limitFiles(t *testing.T, size uint64) uint64 {
	t.Helper()
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	before := limit.Cur
	limit.Cur = size
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	return before
}
