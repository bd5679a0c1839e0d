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
// starting a second daemon, and that the daemon removes when it listens. Several starts do no
// harm, since the daemon's lock admits one; the guard only saves processes. It is left behind by a
// hook whose time was up before it had started the daemon, and by a daemon that failed, which
// then is not started again for as long.
const guardAge = 500 * time.Millisecond

// pollEvery is how often a waiting client dials.
const pollEvery = 5 * time.Millisecond

// maxLog is the size at which daemon.log is moved aside at a start, in bytes.
const maxLog = 1 << 20

// logName is the name of the daemon's log.
const logName = "daemon.log"

// GuardPath returns the path of the guard.
func GuardPath(home string) string { return filepath.Join(home, "starting") }

// RenewGuardEvery is how often a daemon that has to wait before it can listen calls RenewGuard.
const RenewGuardEvery = guardAge / 4

// RenewGuard keeps the guard valid for another guardAge.
func RenewGuard(home string) {
	now := time.Now()
	os.Chtimes(GuardPath(home), now, now) // without a guard more processes are started, and end
}

// isStarting reports whether a daemon is being started.
func isStarting(home string) bool {
	fi, err := os.Lstat(GuardPath(home))
	return err == nil && !isExpired(fi)
}

func isExpired(guard fs.FileInfo) bool { return time.Since(guard.ModTime()).Abs() > guardAge }

// maxUnanswered is how many daemons one after the other may end before they answer a request: one
// that was about to end, and one that gives way to a newer version. Of more, they die of it.
const maxUnanswered = 3

// endsIn is how long a daemon takes to end, at most, while connections to it are closed unanswered.
const endsIn = 10 * time.Second

// A patience says how long a request is repeated.
type patience struct {
	ended int       // daemons that took the request and ended
	since time.Time // when the last of them first did, zero once it is gone
}

// mayRepeat reports whether to repeat a request after an error.
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

// Retry calls f. If no daemon answers it starts one, and calls f again until a daemon answers
// or ctx ends. A daemon that ends meanwhile, or gives way to one that ends, is replaced, but not
// if it died of the request.
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
	before := patience.ended // the daemon was started
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	for {
		nobody := false // is starting a daemon
		select {
		case <-ctx.Done():
			return fmt.Errorf("start daemon: %w", ctx.Err())
		case status := <-exited:
			if status != nil && patience.ended == before { // it took no request, of which it could have died
				return fmt.Errorf("start daemon: %w", status)
			}
			exited = nil // another daemon is running, or is to be started
		case <-tick.C:
			nobody = exited == nil && !isStarting(c.Home) // asked before f, because a daemon listens before it removes the guard
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

// Start starts the daemon detached, unless another process did so a moment ago. The channel
// yields once if the new process ends early: nil if another daemon is running, an error if it
// failed.
func (c *Client) Start() (<-chan error, error) {
	exe, err := daemonPath()
	if err != nil {
		return nil, err
	}
	if err := MakePrivate(c.Home); err != nil {
		return nil, err
	}
	// A guard that cannot be made, because the disk is full or the folder read-only, is done without.
	if claimed, err := claimStart(GuardPath(c.Home)); err == nil && !claimed {
		return nil, nil
	}
	p, err := spawnDaemon(exe, c.Home)
	if err != nil {
		os.Remove(GuardPath(c.Home))
		return nil, fmt.Errorf("start daemon: %w", err)
	}
	exited := make(chan error, 1)
	go func() { // ends with the daemon, or with this process
		state, err := p.Wait()
		if err == nil && !state.Success() {
			err = fmt.Errorf("it ended with %s; see %s", state, filepath.Join(c.Home, logName))
		}
		exited <- err
	}()
	return exited, nil
}

// claimStart creates the guard and reports whether this process is the one to
// start the daemon.
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
		log = null // the folder is read-only, or the disk is full: what is there can be recalled
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

// openLog opens the daemon's log for appending, after moving aside a large one, and what is no
// file of this user: a link or a pipe of somebody else.
func openLog(path string) (*os.File, error) {
	if fi, err := os.Lstat(path); err == nil {
		if fi.Size() > maxLog || !fi.Mode().IsRegular() || !trust.Ours(fi) {
			os.Rename(path, path+".1")
		}
	}
	return regular.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
}

// daemonVariables are the variables that a daemon needs. The rest of a hook's environment, such
// as API keys, is not passed on.
var daemonVariables = []string{
	"HOME", "PATH", "TMPDIR", "TMP", "TEMP", "LANG", "USER", "CLAUDE_CONFIG_DIR",
	"USERPROFILE", "SYSTEMROOT", "LOCALAPPDATA", "APPDATA",
}

// cleanEnv returns the part of an environment that the daemon gets.
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
