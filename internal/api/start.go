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

	"recollect/internal/regular"
)

// guardAge is how long the guard is valid. The guard is a file that keeps other clients from
// starting a second daemon, and that the daemon removes when it listens. Several starts do no
// harm, since the daemon's lock admits one; the guard only saves processes.
const guardAge = 2 * time.Second

// pollEvery is how often a waiting client dials.
const pollEvery = 5 * time.Millisecond

// maxLog is the size at which daemon.log is moved aside at a start, in bytes.
const maxLog = 1 << 20

// GuardPath returns the path of the guard.
func GuardPath(home string) string { return filepath.Join(home, "starting") }

// Retry calls f. If no daemon answers it starts one, and calls f again until a daemon answers
// or ctx ends.
func (c *Client) Retry(ctx context.Context, f func() error) error {
	err := f()
	if !errors.Is(err, ErrNoDaemon) {
		return err
	}
	exited, startErr := c.Start()
	if startErr != nil {
		return startErr
	}
	tick := time.NewTicker(pollEvery)
	defer tick.Stop()
	again := time.NewTicker(guardAge)
	defer again.Stop()
	for {
		select {
		case <-ctx.Done():
			return fmt.Errorf("start daemon: %w", ctx.Err())
		case status := <-exited:
			if status != nil {
				return fmt.Errorf("start daemon: %w", status)
			}
			exited = nil // another daemon is running
		case <-again.C: // the process that was about to start one may be dead
			if exited != nil {
				continue
			}
			if exited, startErr = c.Start(); startErr != nil {
				return startErr
			}
		case <-tick.C:
		}
		if err = f(); !errors.Is(err, ErrNoDaemon) {
			return err
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
	claimed, err := claim(GuardPath(c.Home))
	if err != nil || !claimed {
		return nil, err
	}
	p, err := spawn(exe, c.Home)
	if err != nil {
		os.Remove(GuardPath(c.Home))
		return nil, fmt.Errorf("start daemon: %w", err)
	}
	exited := make(chan error, 1)
	go func() { // ends with the daemon, or with this process
		state, err := p.Wait()
		if err == nil && !state.Success() {
			err = fmt.Errorf("it ended with %s; see %s", state, filepath.Join(c.Home, "daemon.log"))
		}
		exited <- err
	}()
	return exited, nil
}

// claim creates the guard and reports whether this process is the one to
// start the daemon.
func claim(path string) (bool, error) {
	if fi, err := os.Stat(path); err == nil && time.Since(fi.ModTime()).Abs() > guardAge {
		os.Remove(path)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, fs.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("start daemon: %w", err)
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

func spawn(exe, home string) (*os.Process, error) {
	log, err := openLog(filepath.Join(home, "daemon.log"))
	if err != nil {
		return nil, err
	}
	defer log.Close()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer null.Close()
	return os.StartProcess(exe, []string{exe, "daemon", "run"}, &os.ProcAttr{
		Dir:   home,
		Env:   append(cleanEnv(os.Environ()), "RECOLLECT_HOME="+home),
		Files: []*os.File{null, log, log},
		Sys:   detached(),
	})
}

// openLog opens the daemon's log for appending, after moving a large one aside.
func openLog(path string) (*os.File, error) {
	if fi, err := os.Stat(path); err == nil && fi.Size() > maxLog {
		os.Rename(path, path+".1")
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
