//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"

	"recollect/internal/api"
)

// A fault is something that goes wrong while users work. It ends by itself.
type fault struct {
	name  string
	run   func(*torture) error
	alone bool // users wait, because what they store meanwhile would be lost by design
	disk  bool // it needs a file system of its own
}

// faults are the faults in the order in which they occur.
var faults = []fault{
	{name: "daemon killed", run: (*torture).killDaemon},
	{name: "killed, 40 hooks at once", run: (*torture).storm},
	{name: "daemon hangs", run: (*torture).hang},
	{name: "killed, torn log", run: (*torture).tearLog},
	{name: "killed, derived files damaged", run: (*torture).damageDerived},
	{name: "socket removed", run: (*torture).removeSocket},
	{name: "data folder moved away and back", run: (*torture).moveAway, alone: true},
	{name: "disk full", run: (*torture).fillDisk, disk: true},
	{name: "disk read-only", run: (*torture).readOnly, disk: true},
	{name: "more daemons started", run: (*torture).moreDaemons},
	{name: "100 slow clients", run: (*torture).slowClients},
}

func (t *torture) killDaemon() error { return t.in.kill() }

// storm starts many sessions at once while no daemon runs.
func (t *torture) storm() error {
	if err := t.in.kill(); err != nil {
		return err
	}
	var all sync.WaitGroup
	for i := range 40 {
		all.Go(func() {
			event := []string{"SessionStart", "UserPromptSubmit", "Stop"}[i%3]
			t.fire(map[string]any{"hook_event_name": event, "session_id": fmt.Sprint("storm", i), "prompt": "how large is the pool?", "source": "startup"})
		})
	}
	all.Wait()
	return nil
}

// hang stops the daemon for a while, as a debugger or a sleeping machine does.
func (t *torture) hang() error {
	if err := t.in.signal(syscall.SIGSTOP); err != nil {
		return err
	}
	time.Sleep(1500 * time.Millisecond)
	return t.in.signal(syscall.SIGCONT)
}

// tearLog writes half a line at the end of a log, as a power loss does.
func (t *torture) tearLog() error {
	if err := t.in.kill(); err != nil {
		return err
	}
	f, err := os.OpenFile(filepath.Join(t.in.home, "memories", "journal.jsonl"), os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return err
	}
	_, err = f.WriteString(`{"id":"dec-000000000000","source":"journal","text":"half a l`)
	return errors.Join(err, f.Close())
}

// damageDerived truncates or removes files that can be rebuilt.
func (t *torture) damageDerived() error {
	if err := t.in.kill(); err != nil {
		return err
	}
	for _, folder := range []string{"index", "vectors", "sessions", "recollections"} {
		err := filepath.WalkDir(filepath.Join(t.in.home, folder), func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() {
				return nil
			}
			switch t.random.IntN(8) {
			case 0:
				return ignoreGone(os.Remove(path))
			case 1:
				info, err := d.Info()
				if err != nil {
					return ignoreGone(err)
				}
				return ignoreGone(os.Truncate(path, info.Size()/2))
			}
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// ignoreGone returns err unless it says that a file does not exist, because a daemon started meanwhile
// may have removed it.
func ignoreGone(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

func (t *torture) removeSocket() error {
	return ignoreGone(os.Remove(api.SocketPath(t.in.home)))
}

// moveAway removes the data folder, runs hooks that make a new one, and puts the old one back.
func (t *torture) moveAway() error {
	away := t.in.home + ".away"
	if err := os.Rename(t.in.home, away); err != nil {
		return err
	}
	for i := range 5 {
		t.fire(map[string]any{"hook_event_name": "UserPromptSubmit", "session_id": fmt.Sprint("away", i), "prompt": "how large is the pool?"})
	}
	time.Sleep(500 * time.Millisecond)
	if err := t.in.kill(); err != nil {
		return err
	}
	return errors.Join(os.RemoveAll(t.in.home), os.Rename(away, t.in.home))
}

// fillDisk keeps the disk full for two seconds.
func (t *torture) fillDisk() error {
	ballast := filepath.Join(t.in.disk(), "ballast")
	f, err := os.Create(ballast)
	if err != nil {
		return err
	}
	block := make([]byte, 64<<10)
	for err == nil {
		_, err = f.Write(block)
	}
	if !errors.Is(err, syscall.ENOSPC) {
		return errors.Join(err, f.Close(), os.Remove(ballast))
	}
	time.Sleep(2 * time.Second)
	return errors.Join(f.Close(), os.Remove(ballast))
}

// readOnly makes the disk read-only for two seconds.
func (t *torture) readOnly() error {
	if err := t.writeProtect(); err != nil {
		return err
	}
	time.Sleep(2 * time.Second)
	return t.remount("rw")
}

// writeProtect makes the disk read-only. It kills the daemon first, because that has files open for
// writing, while no user starts another.
func (t *torture) writeProtect() error {
	t.pause.Lock()
	defer t.pause.Unlock()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		if err := t.in.kill(); err != nil {
			return err
		}
		err := t.remount("ro")
		if err == nil || time.Now().After(end) {
			return err
		}
	}
}

func (t *torture) remount(mode string) error {
	if out, err := exec.Command("mount", "-o", "remount,"+mode, t.in.disk()).CombinedOutput(); err != nil {
		return fmt.Errorf("remount %s: %w: %s", mode, err, out)
	}
	return nil
}

// moreDaemons starts several daemons by hand. Only one may serve.
func (t *torture) moreDaemons() error {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	var all sync.WaitGroup
	for range 5 {
		all.Go(func() {
			_ = t.in.command(ctx, "recollect", "daemon", "run").Run() // it ends with the context, or at once
		})
	}
	all.Wait()
	return nil
}

// slowClients hold connections on which they send only half of a request.
func (t *torture) slowClients() error {
	for range 100 {
		conn, err := net.Dial("unix", api.SocketPath(t.in.home))
		if err != nil {
			continue // no daemon runs
		}
		defer conn.Close()
		if _, err := conn.Write([]byte("POST /recollect HTTP/1.1\r\nHost: recollect\r\nContent-Le")); err != nil {
			continue // it ended
		}
	}
	time.Sleep(2 * time.Second)
	return nil
}
