//go:build unix

package main

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// A log that may not grow any more stands for a full disk: the memory that no
// longer fits is refused, and what was acknowledged before stays.
func TestFullDisk(t *testing.T) {
	_, client := stressHome(t)
	daemon := exec.Command("sh", "-c", "ulimit -f 1024 && exec recollect daemon run") // half a megabyte a file
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- daemon.Wait() }()
	t.Cleanup(func() { daemon.Process.Kill(); <-ended })
	waitServing(t, client)

	var acked []string
	var refused error
	for i := 0; refused == nil && i < 200; i++ {
		word := "kestrel" + strings.Repeat("x", i)
		m := memory.Memory{Source: memory.Inbox, Title: word, Text: strings.Repeat(word+" filler ", 200)}
		done, err := client.Remember(t.Context(), api.Remember{Memories: memory.Drafts(m)})
		if refused = err; err == nil {
			acked = append(acked, done.IDs...)
		}
	}
	if refused == nil || !strings.Contains(refused.Error(), "file too large") || len(acked) < 10 {
		t.Fatalf("after %d memories Remember() = %v, want why", len(acked), refused)
	}
	if _, stderr, err := recollectCmd(t, "remember", strings.Repeat("one more ", 1000)); err == nil || !strings.Contains(stderr, "file too large") {
		t.Errorf("recollect remember: %v, stderr %q", err, stderr)
	}
	for _, event := range []string{"SessionStart", "UserPromptSubmit", "Stop"} {
		if stdout, stderr, err := fireHook(t.Context(), event, "s1", "what about the zeppelin?"); err != nil || stdout != "" || strings.Count(stderr, "\n") > 1 {
			t.Errorf("%s hook: %v, stdout %q, stderr %q", event, err, stdout, stderr)
		}
	}

	// With room again everything is there, and a new memory too.
	if err := client.Shutdown(t.Context()); err != nil {
		t.Fatal(err)
	}
	err := <-ended
	ended <- err
	rememberCmd(t, "there is room again")
	for _, id := range acked {
		if _, err := client.Memory(t.Context(), id); err != nil {
			t.Errorf("acknowledged %s is lost: %v", id, err)
		}
	}
	if h, err := client.Health(t.Context()); err != nil || h.Memories != len(acked)+1 || len(h.Problems) > 0 {
		t.Errorf("Health() = %+v, %v, want %d memories and no problem", h, err, len(acked)+1)
	}
	if out, _, err := recollectCmd(t, "search", "room again"); err != nil || !strings.Contains(out, "there is room again") {
		t.Errorf("recollect search: %v, %q", err, out)
	}
}

// waitServing waits until a daemon that the test started itself answers.
func waitServing(t *testing.T, client *api.Client) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	for limit := time.After(10 * time.Second); ; {
		if h, err := client.Health(t.Context()); err == nil && h.Index == "ready" {
			return
		}
		select {
		case <-tick.C:
		case <-limit:
			t.Fatal("the daemon does not answer")
		}
	}
}

// A data folder that may not be written: memories are recalled, commands that would store say why
// they do not, and everything is there when it may be written again.
func TestReadOnlyHome(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everything")
	}
	home, _ := stressHome(t)
	id := rememberCmd(t, "the pool has 40 connections")
	stopDaemon(home)
	setWritable(t, home, false)
	t.Cleanup(func() { setWritable(t, home, true) })

	_, stderr, err := recollectCmd(t, "remember", "one more")
	if err == nil || !strings.Contains(stderr, "inbox.jsonl: permission denied") {
		t.Errorf("recollect remember: %v, stderr %q, want the log and why", err, stderr)
	}
	for event, want := range map[string]string{"SessionStart": "", "UserPromptSubmit": "40 connections", "Stop": ""} {
		stdout, stderr, err := fireHook(t.Context(), event, "s1", "how big is the pool?")
		if err != nil || !strings.Contains(stdout, want) || want == "" && stdout != "" || strings.Count(stderr, "\n") > 1 {
			t.Errorf("%s hook: %v, stdout %q, stderr %q, want %q", event, err, stdout, stderr, want)
		}
	}
	setWritable(t, home, true)
	if out, stderr, err := recollectCmd(t, "show", id); err != nil || !strings.Contains(out, "40 connections") {
		t.Errorf("recollect show: %v, %q, %s", err, out, stderr)
	}
	rememberCmd(t, "one more")
}

// setWritable lets the owner write to everything in a folder, or to nothing.
func setWritable(t *testing.T, dir string, writable bool) {
	t.Helper()
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Type()&(fs.ModeSocket|fs.ModeSymlink) != 0 {
			return err
		}
		mode := fs.FileMode(0o400)
		if d.IsDir() {
			mode = 0o500
		}
		if writable {
			mode |= 0o200
		}
		return os.Chmod(path, mode)
	})
	if err != nil {
		t.Error(err)
	}
}

// A log that cannot be written while the others can is named in the refusal.
func TestLogThatCannotBeWritten(t *testing.T) {
	home, _ := stressHome(t)
	rememberCmd(t, "the pool has 40 connections")
	goals := filepath.Join(home, "memories", "goals.jsonl")
	if err := os.Mkdir(goals, 0o700); err != nil {
		t.Fatal(err)
	}
	_, stderr, err := recollectCmd(t, "remember", "--source", "goals", "ship it")
	if err == nil || !strings.HasPrefix(stderr, "recollect: ") || !strings.Contains(stderr, "goals.jsonl") {
		t.Errorf("recollect remember: %v, stderr %q, want the log named", err, stderr)
	}
	rememberCmd(t, "another into the inbox")
	stopDaemon(home)
	if err := os.Remove(goals); err != nil {
		t.Fatal(err)
	}
	rememberCmd(t, "ship it")
}
