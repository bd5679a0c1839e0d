package api

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestClaim(t *testing.T) {
	tests := []struct {
		name string
		age  time.Duration // of the guard that is there, or -1
		want bool
	}{
		{"no guard", -1, true},
		{"fresh guard", 0, false},
		{"guard of a daemon that never came up", guardAge + time.Minute, true},
		{"guard from before the clock was set back", -time.Hour, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := GuardPath(t.TempDir())
			if tt.age != -1 {
				write(t, path)
				at := time.Now().Add(-tt.age)
				if err := os.Chtimes(path, at, at); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := claimStart(path); got != tt.want || err != nil {
				t.Errorf("claim() = %t, %v, want %t", got, err, tt.want)
			}
			if got, err := claimStart(path); got || err != nil {
				t.Errorf("claim() once more = %t, %v, want false", got, err)
			}
		})
	}
	if got, err := claimStart(filepath.Join(t.TempDir(), "none", "starting")); got || err == nil {
		t.Errorf("claim() in a folder that is not there = %t, %v, want an error", got, err)
	}
}

// A guard that cannot be removed keeps nobody from starting a daemon.
func TestClaimBlocked(t *testing.T) {
	path := GuardPath(t.TempDir())
	if err := os.MkdirAll(filepath.Join(path, "full"), 0o700); err != nil {
		t.Fatal(err)
	}
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(path, old, old); err != nil {
		t.Fatal(err)
	}
	if got, err := claimStart(path); got || err == nil {
		t.Errorf("claim() = %t, %v, want an error", got, err)
	}
}

func TestRenewGuard(t *testing.T) {
	home := t.TempDir()
	RenewGuard(home)
	if isStarting(home) {
		t.Error("RenewGuard() has made a guard")
	}
	write(t, GuardPath(home))
	old := time.Now().Add(-time.Minute)
	if err := os.Chtimes(GuardPath(home), old, old); err != nil {
		t.Fatal(err)
	}
	if isStarting(home) {
		t.Error("an old guard counts")
	}
	if RenewGuard(home); !isStarting(home) {
		t.Error("a renewed guard does not count")
	}
}

func TestClaimTogether(t *testing.T) {
	path := GuardPath(t.TempDir())
	var claims atomic.Int32
	var wg sync.WaitGroup
	start := make(chan struct{})
	for range 16 {
		wg.Go(func() {
			<-start
			if got, err := claimStart(path); err != nil {
				t.Error(err)
			} else if got {
				claims.Add(1)
			}
		})
	}
	close(start)
	wg.Wait()
	if claims.Load() != 1 {
		t.Errorf("%d of 16 claimed the start, want 1", claims.Load())
	}
}

// A request is repeated until a daemon answers, but not for ever where daemons die of it.
func TestRetryOfWhatIsNotAnswered(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	daemon := filepath.Join(filepath.Dir(exe), "recollect"+exeSuffix)
	write(t, daemon)
	t.Cleanup(func() { os.Remove(daemon) })
	whole := ok("200 OK", `{"pid":7}`)
	many := func(reply string) []string { return slices.Repeat([]string{reply}, 20) }
	tests := []struct {
		name    string
		replies []string // of one connection after the other
		asked   int
		err     error // nil for none
	}{
		{"answered", []string{whole}, 1, nil},
		{"refused", []string{ok("500 Oh", "{}")}, 1, nil},
		{"ended once", []string{"", whole}, 2, nil},
		{"ended twice", []string{"", "", whole}, 3, nil},
		{"ends always", many(""), 3, ErrUnanswered},
		{"ends in its first byte", many("H"), 1, errCut},
		{"ends in the head", many("HTTP/1.1 200 OK\r\nRecollect-Version: 1\r\n"), 1, errCut},
		{"ends in the body", many("HTTP/1.1 200 OK\r\nRecollect-Version: 1\r\nContent-Length: 10\r\n\r\n{"), 1, errCut},
		{"ends before the body", many("HTTP/1.1 200 OK\r\nRecollect-Version: 1\r\nContent-Length: 10\r\n\r\n"), 1, errCut},
		{"answers something else", many(ok("200 OK", "pid 7")), 1, errCut},
		{"ends once, then in the body", append([]string{""}, many("HTTP/1.1 200 OK\r\nRecollect-Version: 1\r\nContent-Length: 10\r\n\r\n{")...), 2, errCut},
		{"ended thrice", []string{"", "", "", whole}, 3, ErrUnanswered},
		{"somebody else, then the daemon", []string{"SSH-2.0-OpenSSH_9.6\r\n", "SSH-2.0-OpenSSH_9.6\r\n", "SSH-2.0-OpenSSH_9.6\r\n", "SSH-2.0-OpenSSH_9.6\r\n", whole}, 5, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := shortDir(t)
			write(t, GuardPath(home)) // nothing is started
			var asked atomic.Int32
			go func() {
				for _, reply := range tt.replies { // each from a daemon of its own, which then ends
					l, err := net.Listen("unix", SocketPath(home))
					if err != nil {
						return
					}
					RenewGuard(home)
					if conn, err := l.Accept(); err == nil {
						asked.Add(1)
						replying(reply)(conn)
						conn.Close()
					}
					l.Close()
					time.Sleep(4 * pollEvery)
				}
			}()
			ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
			defer cancel()
			c := &Client{Home: home}
			err := c.Retry(ctx, func() error { _, err := c.Health(ctx); return err })
			defer func() { // lets the daemons that are left go
				for conn, err := Dial(home); err == nil; conn, err = Dial(home) {
					conn.Close()
				}
			}()
			var refused *StatusError
			if errors.As(err, &refused) {
				err = nil
			}
			if got := int(asked.Load()); !errors.Is(err, tt.err) || got != tt.asked {
				t.Errorf("Retry() = %v after %d requests, want %v after %d", err, got, tt.err, tt.asked)
			}
		})
	}
}

// A daemon that ends closes connections for a while, which counts as one daemon.
func TestPatience(t *testing.T) {
	gone := fmt.Errorf("%w: connect", ErrNoDaemon)
	unanswered := fmt.Errorf("%w: %w: EOF", ErrNoDaemon, ErrUnanswered)
	tests := []struct {
		name string
		errs []error // the last of which ends it
		want bool    // whether to go on after the last
	}{
		{"answered", []error{nil}, false},
		{"refused", []error{&StatusError{Status: 500, Message: "broken"}}, false},
		{"timed out", []error{context.DeadlineExceeded}, false},
		{"nobody there", []error{gone, gone, gone, gone, gone}, true},
		{"one that ends", slices.Repeat([]error{unanswered}, 50), true},
		{"one that ends, and nobody", []error{unanswered, unanswered, gone, gone}, true},
		{"two that end", []error{unanswered, gone, unanswered, unanswered}, true},
		{"three that end", []error{unanswered, gone, unanswered, gone, unanswered}, false},
		{"cut off", []error{fmt.Errorf("%w: %w", ErrNoDaemon, errCut)}, false},
		{"cut off later", []error{gone, unanswered, fmt.Errorf("%w: %w", ErrNoDaemon, errCut)}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				var p patience
				for i, err := range tt.errs {
					want := tt.want || i < len(tt.errs)-1
					if got := p.mayRepeat(err); got != want {
						t.Fatalf("after %d: %v, want %v", i+1, got, want)
					}
				}
				time.Sleep(endsIn)
				if last := tt.errs[len(tt.errs)-1]; errors.Is(last, ErrUnanswered) && p.mayRepeat(last) {
					t.Error("a daemon that never ends is asked for ever")
				}
			})
		})
	}
}

func TestCleanEnv(t *testing.T) {
	got := cleanEnv([]string{
		"HOME=/home/dev", "PATH=/bin", "Path=C:\\", "TMPDIR=/t", "CLAUDE_CONFIG_DIR=/c",
		"RECOLLECT_DEBUG=1", "RECOLLECT_HOME=/other",
		"ANTHROPIC_API_KEY=secret", "AWS_SECRET_ACCESS_KEY=secret", "GITHUB_TOKEN=secret",
		"HOMEBREW_GITHUB_API_TOKEN=secret", "PATHS=x", "XRECOLLECT_X=1", "LD_PRELOAD=x.so",
		"GODEBUG=x", "", "=C:=C:\\", "NOVALUE",
	})
	want := []string{"HOME=/home/dev", "PATH=/bin", "Path=C:\\", "TMPDIR=/t", "CLAUDE_CONFIG_DIR=/c", "RECOLLECT_DEBUG=1"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("cleanEnv() (-want +got):\n%s", diff)
	}
}

func TestOpenLog(t *testing.T) {
	tests := []struct {
		name  string
		size  int64
		moved bool
	}{
		{"small", 100, false},
		{"as large as can be", maxLog, false},
		{"large", maxLog + 1, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "daemon.log")
			write(t, path)
			if err := os.Truncate(path, tt.size); err != nil {
				t.Fatal(err)
			}
			f, err := openLog(path)
			if err != nil {
				t.Fatal(err)
			}
			defer f.Close()
			if _, err := f.WriteString("x"); err != nil {
				t.Fatal(err)
			}
			want := tt.size + 1
			if tt.moved {
				want = 1
			}
			if fi, err := f.Stat(); err != nil || fi.Size() != want {
				t.Errorf("log has %d bytes, %v, want %d", fi.Size(), err, want)
			}
			if _, err := os.Stat(path + ".1"); (err == nil) != tt.moved {
				t.Errorf("old log: %v, want it there = %t", err, tt.moved)
			}
		})
	}
}

func TestRetry(t *testing.T) {
	c := &Client{Home: shortDir(t)}
	refused := &StatusError{Status: 404, Message: "no such memory"}
	for _, want := range []error{nil, refused, context.DeadlineExceeded} {
		calls := 0
		if err := c.Retry(t.Context(), func() error { calls++; return want }); err != want || calls != 1 {
			t.Errorf("Retry() of %v = %v after %d calls, want it as it is after 1", want, err, calls)
		}
	}

	// No executable lies beside the one of a test, so there is none to start.
	err := c.Retry(t.Context(), func() error { return ErrNoDaemon })
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("Retry() without an executable = %v, want one that says so", err)
	}
}
