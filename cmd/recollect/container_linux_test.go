package main

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// contained makes a command run as in a container on this kernel: its processes have numbers of their
// own, and those outside have none there.
func contained(t *testing.T, cmd *exec.Cmd) *exec.Cmd {
	t.Helper()
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWPID | syscall.CLONE_NEWNET | syscall.CLONE_NEWUTS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getuid(), HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: os.Getgid(), HostID: os.Getgid(), Size: 1}},
	}
	return cmd
}

// A container that has the data folder mounted asks the daemon outside. It cannot end that one by
// its number, which is no process's there, or another's.
func TestContainer(t *testing.T) {
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
	inside := func(args ...string) (string, error) {
		cmd := contained(t, &exec.Cmd{Path: os.Args[0], Args: append([]string{"recollect"}, args...)})
		out, err := cmd.CombinedOutput()
		return string(out), err
	}
	waitForDaemon(t, home)

	out, err := inside("note", "the pool has 40 connections")
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Skip("no namespace can be made here: ", err)
	}
	if err == nil {
		out, err = inside("search", "pool")
	}
	if err != nil || !strings.Contains(out, "40 connections") {
		t.Errorf("in a container: %q, %v, want what it noted", out, err)
	}
	if err := daemon.Process.Signal(syscall.SIGSTOP); err != nil {
		t.Fatal(err)
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	out, err = inside("daemon", "stop", "--force")
	if err == nil || !strings.Contains(out, "on "+host+" from here: it runs in another container") {
		t.Errorf("daemon stop --force in a container: %q, %v, want it to say where the daemon runs", out, err)
	}
	if err := daemon.Process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the daemon outside: %v, want it left alone", err)
	}
}
