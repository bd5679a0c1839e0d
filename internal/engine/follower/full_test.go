//go:build linux || darwin

package follower

import (
	"context"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const fullEnv = "FOLLOWER_TEST_FULL"

// TestFullDisk runs in a process of its own, which may write no file beyond a
// size: new indexes then break again and again, as on a full disk.
func TestFullDisk(t *testing.T) {
	if os.Getenv(fullEnv) != "" {
		followOnFullDisk(t)
		return
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestFullDisk$")
	cmd.Env = append(os.Environ(), fullEnv+"=1")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func followOnFullDisk(t *testing.T) {
	signal.Ignore(syscall.SIGXFSZ)
	f := open(t, t.TempDir())
	put(t, f, "one", "two", "three")
	var limit syscall.Rlimit
	if err := syscall.Getrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	limit.Cur = 64
	if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &limit); err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- f.Run(ctx) }()
	if err := f.CaughtUp(t.Context()); err != nil {
		t.Error(err)
	}
	if diff := cmp.Diff(stored(f), indexed(t, f)); diff != "" || f.index.InMemory() == nil {
		t.Errorf("in memory = %v (-store +index):\n%s", f.index.InMemory(), diff)
	}
	stop()
	if err := <-ended; err != nil {
		t.Errorf("Run() = %v", err)
	}
}
