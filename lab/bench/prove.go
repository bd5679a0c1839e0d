package bench

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/agents/transcript"
	"recollect/internal/capture/extract"
	"recollect/internal/memory"
	"recollect/internal/proof"
)

// A Proof is what one memory would have known in histories.
type Proof struct {
	Memory string        `json:"memory"`
	Report *proof.Report `json:"report"`
}

// Names of the memories that RunProve knows; any other is a command.
const (
	NoMemory     = "none"
	CuratedFile  = "file"
	OurOwnMemory = "recollect"
)

// RunProve replays histories, each a folder with the transcripts of one user, once with each memory.
func RunProve(ctx context.Context, histories, memories []string, unread func(error)) ([]Proof, error) {
	var out []Proof
	for _, name := range memories {
		p := Proof{Memory: name, Report: proof.NewReport()}
		for _, history := range histories {
			r, err := proveOne(ctx, history, name, unread)
			if err != nil {
				return nil, fmt.Errorf("replay %s with %s: %w", history, name, err)
			}
			p.Report.Merge(r)
		}
		out = append(out, p)
	}
	return out, nil
}

func proveOne(ctx context.Context, history, name string, unread func(error)) (*proof.Report, error) {
	paths, err := transcript.Files(history)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "recollect-prove-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	silent := func(int, int) {}
	return proof.Run(ctx, proof.Plan{Paths: paths, Dir: dir, Reading: silent, Progress: silent, Unread: unread, Open: func(ctx context.Context, dir string) (proof.Memory, func() error, error) {
		return openMemory(ctx, name, dir)
	}})
}

// openMemory opens a memory by its name, and returns what closes it.
func openMemory(ctx context.Context, name, dir string) (proof.Memory, func() error, error) {
	switch name {
	case NoMemory:
		return noMemory{}, func() error { return nil }, nil
	case CuratedFile:
		return curatedFile{}, func() error { return nil }, nil
	case OurOwnMemory:
		m, err := proof.OpenRecollect(ctx, dir)
		if err != nil {
			return nil, nil, err
		}
		return m, m.Close, nil
	}
	m, err := startCommand(ctx, name, dir)
	if err != nil {
		return nil, nil, err
	}
	return m, m.close, nil
}

// noMemory says nothing.
type noMemory struct{}

// Learn does nothing.
func (noMemory) Learn(context.Context, []string) error { return nil }

// Say says nothing.
func (noMemory) Say(context.Context, proof.Event) (string, error) { return "", nil }

// A curatedFile is a CLAUDE.md for each folder, into which the user writes every rule once the session is over in which
// it was said. All of it is said at the start of each session: nobody is as diligent.
type curatedFile map[string][]string

// Learn writes the rules of sessions into the files.
func (c curatedFile) Learn(_ context.Context, transcripts []string) error {
	for _, path := range transcripts {
		var turns []claudecode.Turn
		_, err := transcript.Turns(path, 0, func(t claudecode.Turn) error {
			t.Actions, t.Thinking = nil, nil
			turns = append(turns, t)
			return nil
		})
		if err != nil {
			return err
		}
		for _, d := range extract.DraftsOf(turns, memory.Project{Path: "/"}) {
			if d.Source == memory.Preferences {
				c[turns[0].Cwd] = append(c[turns[0].Cwd], d.Evidence)
			}
		}
	}
	return nil
}

// Say says the whole file at the start of a session.
func (c curatedFile) Say(_ context.Context, e proof.Event) (string, error) {
	if e.Event != proof.AtStart && e.Event != proof.AtCompact {
		return "", nil
	}
	return strings.Join(c[e.Cwd], "\n"), nil
}

// A command is a memory in a program of its own. Each event is a line of JSON on its standard input, as proof.Event has
// it, or {"event": "learn", "transcripts": [...]}. It answers each with a line: {"context": "..."}.
type command struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// startCommand starts a shell's command in a folder of its own.
func startCommand(ctx context.Context, line, dir string) (*command, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	c := &command{cmd: exec.CommandContext(ctx, "sh", "-c", line)}
	c.cmd.Dir, c.cmd.Stderr = dir, os.Stderr
	var err error
	if c.in, err = c.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	c.out = bufio.NewReader(out)
	return c, c.cmd.Start()
}

func (c *command) close() error {
	return errors.Join(c.in.Close(), c.cmd.Wait())
}

func (c *command) ask(event any) (string, error) {
	line, err := json.Marshal(event)
	if err != nil {
		return "", err
	}
	if _, err := c.in.Write(append(line, '\n')); err != nil {
		return "", err
	}
	reply, err := c.out.ReadBytes('\n')
	if err != nil {
		return "", fmt.Errorf("read the reply of %s: %w", filepath.Base(c.cmd.Path), err)
	}
	var said struct {
		Context string `json:"context"`
	}
	err = json.Unmarshal(reply, &said)
	return said.Context, err
}

// Learn hands transcripts to the program.
func (c *command) Learn(_ context.Context, transcripts []string) error {
	_, err := c.ask(map[string]any{"event": "learn", "transcripts": transcripts})
	return err
}

// Say asks the program.
func (c *command) Say(_ context.Context, e proof.Event) (string, error) { return c.ask(e) }
