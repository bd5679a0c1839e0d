package model

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"recollect/internal/capture/finding"
)

// claude is Claude Code's own command, found on the PATH.
type claude struct{ model string }

// leaveAfter is how long the command may take to end after it was asked to.
const leaveAfter = 2 * time.Second

// ask implements model. The command runs in an empty folder, has no tools and
// no hooks, and leaves no transcript; the question comes on its standard input.
func (c claude) ask(ctx context.Context, system, question string) (string, error) {
	dir, err := os.MkdirTemp("", "recollect-*")
	if err != nil {
		return "", fmt.Errorf("run claude: %w", err)
	}
	defer os.RemoveAll(dir)
	var out, complaint bounded
	cmd := exec.CommandContext(ctx, "claude", c.args(system)...)
	cmd.Dir, cmd.Env = dir, environment(os.Environ())
	cmd.Stdin, cmd.Stdout, cmd.Stderr = strings.NewReader(question), &out, &complaint
	cmd.WaitDelay = leaveAfter
	err = cmd.Run()
	switch {
	case ctx.Err() != nil:
		return "", ctx.Err()
	case out.full:
		return "", fmt.Errorf("%w: more than %d bytes", finding.ErrAnswer, maxAnswer)
	case err != nil && json.Valid(out.buf.Bytes()):
		_, said := result(out.buf.Bytes())
		return "", cmp.Or(said, fmt.Errorf("run claude: %w", err))
	case err != nil:
		return "", fmt.Errorf("run claude: %w: %s", err, oneLine(complaint.buf.String()+" "+out.buf.String()))
	}
	return result(out.buf.Bytes())
}

func (c claude) args(system string) []string {
	args := []string{
		"--print", "--output-format", "json", "--system-prompt", system,
		"--tools", "", "--strict-mcp-config", "--disable-slash-commands", "--no-session-persistence",
		"--settings", `{"disableAllHooks":true}`,
	}
	if c.model != "" {
		args = append(args, "--model", c.model)
	}
	return args
}

// environment returns the command's environment: nothing that would make it part of another session, and no key, because
// the daemon has none. What is tried in a shell fails where the daemon's question would. Every hook of ours leaves at once
// under RECOLLECT_DISABLE.
func environment(env []string) []string {
	env = slices.DeleteFunc(slices.Clone(env), func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return strings.HasPrefix(name, "ANTHROPIC_") || strings.HasPrefix(name, "CLAUDE") && name != "CLAUDE_CONFIG_DIR"
	})
	return append(env, "RECOLLECT_DISABLE=1")
}

// result takes the answer out of what the command printed.
func result(printed []byte) (string, error) {
	var reply struct {
		Result  *string `json:"result"`
		IsError bool    `json:"is_error"`
	}
	switch err := json.Unmarshal(printed, &reply); {
	case err != nil:
		return "", fmt.Errorf("claude printed something other than JSON: %s", oneLine(string(printed)))
	case reply.Result == nil:
		return "", errors.New("claude printed no result")
	case reply.IsError:
		return "", fmt.Errorf("claude: %s", oneLine(*reply.Result))
	case strings.TrimSpace(*reply.Result) == "":
		return "", fmt.Errorf("%w: it is empty", finding.ErrAnswer)
	}
	return *reply.Result, nil
}

// bounded holds as much as an answer may have.
type bounded struct {
	buf  bytes.Buffer
	full bool
}

// errFull ends a command that prints without end.
var errFull = errors.New("too much output")

// Write implements io.Writer.
func (b *bounded) Write(p []byte) (int, error) {
	if b.buf.Len()+len(p) > maxAnswer {
		b.full = true
		return 0, errFull
	}
	return b.buf.Write(p)
}
