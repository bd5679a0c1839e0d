package api

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/system/regular"
	"recollect/internal/system/trust"
)

// guardAge is how long the guard is valid. The guard is a file that keeps other clients from
// starting a second daemon, until the daemon listens and removes it. It only saves processes,
// because the lock admits just one daemon. The guard remains, and expires, if a daemon fails, or if
// a hook's time is up before it has started one.
const guardAge = 500 * time.Millisecond

// pollEvery is how often a waiting client dials.
const pollEvery = 5 * time.Millisecond

// maxLog is the size, in bytes, above which daemon.log is moved aside at a start.
const maxLog = 1 << 20

const logName = "daemon.log"

// GuardPath returns the path of the guard.
func GuardPath(home string) string { return filepath.Join(home, "starting") }

// RenewGuardEvery is how often a daemon calls RenewGuard while it waits for an older one to end.
const RenewGuardEvery = guardAge / 4

// RenewGuard keeps the guard valid for another guardAge.
func RenewGuard(home string) {
	now := time.Now()
	os.Chtimes(GuardPath(home), now, now) // on an error clients start more daemons, which end
}

// isStarting reports whether a daemon is being started.
func isStarting(home string) bool {
	fi, err := os.Lstat(GuardPath(home))
	return err == nil && !isExpired(fi)
}

func isExpired(guard fs.FileInfo) bool { return time.Since(guard.ModTime()).Abs() > guardAge }

// maxUnanswered is how many daemons may end without an answer before a request is taken to kill
// them. One may have been about to end, and a newer version may have replaced another.
const maxUnanswered = 3

// endsIn is how long an ending daemon may close connections unanswered.
const endsIn = 10 * time.Second

// A patience decides whether a request is repeated.
type patience struct {
	ended int       // daemons that accepted the request and ended
	since time.Time // when the last of them began to leave requests unanswered, zero once it is gone
}

// mayRepeat reports whether a request may be repeated after an error.
func (p *patience) mayRepeat(err error) bool {
	switch {
	case !errors.Is(err, ErrNoDaemon), errors.Is(err, errCut):
		return false
	case !errors.Is(err, ErrUnanswered):
		p.since = time.Time{}
	case p.since.IsZero():
		p.ended, p.since = p.ended+1, time.Now()
	}
	return p.ended < maxUnanswered && (p.since.IsZero() || time.Since(p.since) < endsIn)
}

// Retry calls f. If no daemon answers, it starts one and calls f again, until a daemon answers or ctx
// ends. It replaces a daemon that ends meanwhile, unless the daemons die of the request.
func (c *Client) Retry(ctx context.Context, f func() error) error {
	var patience patience
	err := f()
	if !patience.mayRepeat(err) {
		return err
	}
	exited, startErr := c.Start()
	if startErr != nil {
		return startErr
	}
	before := patience.ended // daemons before the one that was started
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		nobody := false // is starting a daemon
		select {
		case <-ctx.Done():
			return fmt.Errorf("start daemon: %w", ctx.Err())
		case status := <-exited:
			if status != nil && patience.ended == before { // the daemon did not die of the request
				return fmt.Errorf("start daemon: %w", status)
			}
			exited = nil // another daemon is running, or will be started
		case <-tick.C:
			nobody = exited == nil && !isStarting(c.Home) // checked before f, because a daemon listens before it removes the guard
		}
		if err = f(); !patience.mayRepeat(err) {
			return err
		}
		if nobody {
			if exited, startErr = c.Start(); startErr != nil {
				return startErr
			}
			before = patience.ended
		}
	}
}

// Start starts the daemon detached. If another process has just done so, the channel is nil.
// Otherwise it yields once if the daemon ends: nil if another daemon is running, an error if
// the new one failed.
func (c *Client) Start() (<-chan error, error) {
	exe, err := daemonPath()
	if err != nil {
		return nil, err
	}
	if err := MakePrivate(c.Home); err != nil {
		return nil, err
	}
	// Without a guard, on a full or read-only disk, the daemon is started all the same.
	if claimed, err := claimStart(GuardPath(c.Home)); err == nil && !claimed {
		return nil, nil
	}
	p, err := spawnDaemon(exe, c.Home)
	if err != nil {
		os.Remove(GuardPath(c.Home))
		return nil, fmt.Errorf("start daemon: %w", err)
	}
	exited := make(chan error, 1)
	go func() { // ends with the daemon or this process
		state, err := p.Wait()
		if err == nil && !state.Success() {
			err = fmt.Errorf("it ended with %s; see %s", state, filepath.Join(c.Home, logName))
		}
		exited <- err
	}()
	return exited, nil
}

// claimStart creates the guard, and reports whether this process should start
// the daemon.
func claimStart(path string) (bool, error) {
	if fi, err := os.Lstat(path); err == nil && isExpired(fi) {
		if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return false, fmt.Errorf("remove old guard: %w", err)
		}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("make guard: %w", err)
	}
	return true, f.Close()
}

// daemonPath returns the recollect executable beside the running one.
func daemonPath() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find own executable: %w", err)
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	exe := filepath.Join(filepath.Dir(self), "recollect"+exeSuffix)
	if _, err := os.Stat(exe); err != nil {
		return "", fmt.Errorf("find daemon: %w", err)
	}
	return exe, nil
}

func spawnDaemon(exe, home string) (*os.Process, error) {
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	log, err := openLog(filepath.Join(home, logName))
	if err != nil {
		log = null // on a full or read-only disk the daemon can still recall
	} else {
		defer log.Close()
	}
	return os.StartProcess(exe, []string{exe, "daemon", "run"}, &os.ProcAttr{
		Dir:   home,
		Env:   append(cleanEnv(os.Environ()), "RECOLLECT_HOME="+home),
		Files: []*os.File{null, log, log},
		Sys:   detached(),
	})
}

// openLog opens the daemon's log for appending. It first moves aside a large log, and anything that
// is not a regular file of this user.
func openLog(path string) (*os.File, error) {
	if fi, err := os.Lstat(path); err == nil {
		if fi.Size() > maxLog || !fi.Mode().IsRegular() || !trust.Ours(fi) {
			os.Rename(path, path+".1")
		}
	}
	return regular.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

// daemonVariables are the environment variables that a daemon needs. The others of a hook, such as
// API keys, are not passed on.
var daemonVariables = []string{
	"HOME", "PATH", "TMPDIR", "TMP", "TEMP", "LANG", "USER", "CLAUDE_CONFIG_DIR",
	"USERPROFILE", "SYSTEMROOT", "LOCALAPPDATA", "APPDATA",
}

// cleanEnv returns the variables of env that the daemon gets.
func cleanEnv(env []string) []string {
	var out []string
	for _, e := range env {
		name, _, _ := strings.Cut(e, "=")
		needed := slices.ContainsFunc(daemonVariables, func(v string) bool { return strings.EqualFold(v, name) })
		if needed || strings.HasPrefix(name, "RECOLLECT_") && name != "RECOLLECT_HOME" {
			out = append(out, e)
		}
	}
	return out
}
