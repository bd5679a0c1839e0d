//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"recollect/internal/api"
)

// An installation has the executables under test, and a data folder and a home folder of its own.
type installation struct {
	bin     string
	dir     string // holds everything below
	home    string // the data folder
	project string // where Claude Code would run
	mounted bool   // home is on its own file system, which can be filled and made read-only
	client  *api.Client
}

// diskSize is the size of the data folder's file system, in the form that mount takes.
const diskSize = "256m"

// install copies the executables, so that no other process has their paths, and makes the folders. The
// data folder gets a file system of its own if this process may mount one.
func install(bin string) (*installation, error) {
	dir, err := os.MkdirTemp("", "torture")
	if err != nil {
		return nil, err
	}
	in := &installation{bin: filepath.Join(dir, "bin"), dir: dir, project: filepath.Join(dir, "src", "orders")}
	in.home = filepath.Join(in.disk(), "r")
	in.client = &api.Client{Home: in.home}
	if err := os.CopyFS(in.bin, os.DirFS(bin)); err != nil {
		return nil, err
	}
	for _, folder := range []string{in.disk(), in.project, in.transcripts()} {
		if err := os.MkdirAll(folder, 0o700); err != nil {
			return nil, err
		}
	}
	// A daemon that cannot write to its folder listens below TMPDIR, so we also look there.
	if err := os.Setenv("TMPDIR", dir); err != nil {
		return nil, err
	}
	in.mounted = exec.Command("mount", "-t", "tmpfs", "-o", "mode=700,size="+diskSize, "torture", in.disk()).Run() == nil
	return in, os.MkdirAll(in.home, 0o700)
}

func (in *installation) disk() string { return filepath.Join(in.dir, "disk") }
func (in *installation) transcripts() string {
	return filepath.Join(in.dir, ".claude", "projects", "orders")
}

// oddFiles is the folder of memory files of other programs.
func (in *installation) oddFiles() string { return filepath.Join(in.dir, "odd") }

// remove deletes everything.
func (in *installation) remove() error {
	var out []byte
	var err error
	for end := time.Now().Add(time.Minute); in.mounted && time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		if out, err = exec.Command("umount", in.disk()).CombinedOutput(); err == nil {
			break // a killed process may need a moment to release its files
		}
	}
	if err != nil {
		return fmt.Errorf("umount %s: %w: %s", in.disk(), err, out)
	}
	return os.RemoveAll(in.dir)
}

// command returns a command that runs an executable of the installation.
func (in *installation) command(ctx context.Context, name string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(in.bin, name), args...)
	cmd.Dir = in.dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + in.dir, "RECOLLECT_HOME=" + in.home, "TMPDIR=" + in.dir, "LANG=C.UTF-8"}
	return cmd
}

// recollect runs the command-line program and returns its output.
func (in *installation) recollect(ctx context.Context, args ...string) (string, error) {
	cmd := in.command(ctx, "recollect", args...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		return "", fmt.Errorf("recollect %s: %w: %s", strings.Join(args, " "), err, errs.String())
	}
	return out.String(), nil
}

// A hookRun is the result of one run of the hook.
type hookRun struct {
	took           time.Duration
	stdout, stderr string
	err            error
}

// hook runs the hook with an event on stdin.
func (in *installation) hook(event []byte) hookRun {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	cmd := in.command(ctx, "recollect-hook")
	var out, errs bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(event), &out, &errs
	start := time.Now()
	err := cmd.Run()
	return hookRun{time.Since(start), out.String(), errs.String(), err}
}

// wrong reports whether a hook would disturb Claude Code: it failed, or printed anything but JSON, or
// more than one line of errors.
func (r hookRun) wrong() bool {
	return r.err != nil || r.stdout != "" && !json.Valid([]byte(r.stdout)) || strings.Count(r.stderr, "\n") > 1
}

// daemons returns the processes of the installation's daemons.
func (in *installation) daemons() ([]int, error) {
	all, err := in.processes()
	var pids []int
	for pid, args := range all {
		if strings.Contains(args, " daemon run") {
			pids = append(pids, pid)
		}
	}
	return pids, err
}

// processes returns the arguments of the processes that run an executable of the installation.
func (in *installation) processes() (map[int]string, error) {
	found, err := filepath.Glob("/proc/[0-9]*/cmdline")
	if err != nil {
		return nil, err
	}
	out := map[int]string{}
	for _, file := range found {
		text, err := os.ReadFile(file)
		args := strings.TrimRight(strings.ReplaceAll(string(text), "\x00", " "), " ")
		if err != nil || !strings.HasPrefix(args, in.bin+"/") {
			continue // it ended, or is not ours
		}
		pid, err := strconv.Atoi(filepath.Base(filepath.Dir(file)))
		if err != nil {
			return nil, err
		}
		out[pid] = args
	}
	return out, nil
}

// signal sends a signal to all daemons.
func (in *installation) signal(s syscall.Signal) error {
	pids, err := in.daemons()
	for _, pid := range pids {
		if e := syscall.Kill(pid, s); !errors.Is(e, syscall.ESRCH) {
			err = errors.Join(err, e)
		}
	}
	return err
}

// kill kills all daemons, and waits until they are gone.
func (in *installation) kill() error {
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(time.Millisecond) {
		if err := in.signal(syscall.SIGKILL); err != nil {
			return err
		}
		if pids, err := in.daemons(); err != nil || len(pids) == 0 {
			return err
		}
	}
	return errors.New("daemons do not end when killed")
}

// keepLog makes the daemon log its goroutines, and keeps its log outside the installation.
func (in *installation) keepLog(out io.Writer) error {
	err := in.signal(syscall.SIGQUIT)
	time.Sleep(time.Second)
	text, readErr := os.ReadFile(filepath.Join(in.home, "daemon.log"))
	const kept = "torture-daemon.log"
	fmt.Fprintf(out, "the daemon's log is in %s\n", kept)
	return errors.Join(err, readErr, os.WriteFile(kept, text, 0o600))
}
