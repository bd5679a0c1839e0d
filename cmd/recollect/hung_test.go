//go:build unix

package main

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"recollect"
	"recollect/internal/api"
	"recollect/internal/cli/app"
)

// A command gives up on a daemon that hangs, and says which process that is and what to do.
func TestHungDaemon(t *testing.T) {
	home, err := os.MkdirTemp("", "re")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.RemoveAll(home) })
	t.Setenv("RECOLLECT_HOME", home)
	daemon := &exec.Cmd{Path: os.Args[0], Args: []string{"recollect", "daemon", "run"}}
	if err := daemon.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { daemon.Process.Kill(); daemon.Wait() })
	waitForDaemon(t, home)
	if err := daemon.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	if _, err := syscall.Wait4(daemon.Process.Pid, nil, syscall.WUNTRACED, nil); err != nil { // until all of its threads have stopped
		t.Fatal(err)
	}

	recollect := func(args ...string) (status int, stderr string) {
		var out, errs bytes.Buffer
		status = runCommand(args, app.Terminal{In: strings.NewReader(""), Out: &out, Err: &errs}, recollect.Version())
		return status, errs.String()
	}
	status, stderr := recollect("status")
	if want := fmt.Sprintf("process %d, does not answer", daemon.Process.Pid); status != 1 || !strings.Contains(stderr, want) || !strings.Contains(stderr, app.ForceStop) {
		t.Errorf("status = %d, %q, want 1, %q and %q", status, stderr, want, app.ForceStop)
	}
	if status, stderr := recollect("daemon", "stop", "--force"); status != 0 {
		t.Errorf("daemon stop --force = %d, %q, want 0", status, stderr)
	}
	if err := daemon.Wait(); err == nil {
		t.Error("the daemon ended by itself, want it killed")
	}
}

// waitForDaemon returns when the daemon of home answers.
func waitForDaemon(t *testing.T, home string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	client := &api.Client{Home: home}
	for _, err := client.Health(ctx); err != nil; _, err = client.Health(ctx) {
		if ctx.Err() != nil {
			t.Fatal(err)
		}
	}
}
