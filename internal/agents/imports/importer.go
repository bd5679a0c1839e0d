package imports

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"recollect/internal/agents/imports/record"
)

// importerName is the executable that reads databases.
const importerName = "recollect-import"

// ErrNoImporter means that the executable that reads databases is missing or of another version. The user
// must build or install it.
var ErrNoImporter = errors.New("databases are read by recollect-import")

// importerPath returns the path of recollect-import, which is in the folder of this executable.
func importerPath() (string, error) {
	self, err := os.Executable()
	if err != nil {
		return "", fmt.Errorf("find own executable: %w", err)
	}
	if real, err := filepath.EvalSymlinks(self); err == nil {
		self = real
	}
	path := filepath.Join(filepath.Dir(self), importerName)
	if runtime.GOOS == "windows" {
		path += ".exe"
	}
	if _, err := os.Stat(path); err != nil {
		return "", fmt.Errorf("%w: there is no %s", ErrNoImporter, path)
	}
	return path, nil
}

// runImporter runs recollect-import and passes its lines to f.
func runImporter(ctx context.Context, program, path string, f func(record.Line) error) error {
	exe, err := importerPath()
	if err != nil {
		return err
	}
	return runProcess(ctx, exe, []string{program, path}, f)
}

// runProcess runs recollect-import until its lines end or f returns an error.
func runProcess(ctx context.Context, exe string, args []string, f func(record.Line) error) error {
	run, end := context.WithCancel(ctx)
	defer end()
	p, err := startProcess(run, exe, args...)
	if err != nil {
		return fmt.Errorf("start %s: %v", importerName, err)
	}
	err = record.Read(p.stdout, f)
	p.stdout.Close()
	end()
	ended := p.cmd.Wait()
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, record.ErrFormat):
		return fmt.Errorf("%w: %s is of another version", ErrNoImporter, exe)
	case errors.Is(err, record.ErrCut):
		return fmt.Errorf("%w: %v%s", err, ended, p.said.line())
	}
	return err
}

// A process is a running recollect-import.
type process struct {
	cmd    *exec.Cmd
	stdout io.ReadCloser
	said   head // beginning of stderr
}

// endPatience is the time in which a process must delete its copy of a database.
const endPatience = 5 * time.Second

// startProcess starts a process that ends when its input ends, even if this process is killed.
func startProcess(ctx context.Context, exe string, args ...string) (*process, error) {
	p := &process{cmd: exec.CommandContext(ctx, exe, args...)}
	stdin, err := p.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	if p.stdout, err = p.cmd.StdoutPipe(); err != nil {
		return nil, err
	}
	p.cmd.Cancel, p.cmd.WaitDelay, p.cmd.Stderr = stdin.Close, endPatience, &p.said
	return p, p.cmd.Start()
}

// maxHead is the number of bytes that are kept of a process's stderr.
const maxHead = 400

// A head keeps the beginning of what is written to it.
type head struct{ text []byte }

// Write implements io.Writer.
func (h *head) Write(b []byte) (int, error) {
	h.text = append(h.text, b[:min(len(b), maxHead-len(h.text))]...)
	return len(b), nil
}

// line returns ": " and the first line, or "" if there is none.
func (h *head) line() string {
	line, _, _ := strings.Cut(strings.TrimSpace(string(h.text)), "\n")
	if line == "" {
		return ""
	}
	return ": " + strings.ToValidUTF8(line, "")
}
