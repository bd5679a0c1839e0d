package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/daemon"
)

// answerIn is how long a command waits for an answer, including the start of the
// daemon.
const answerIn = 30 * time.Second

// aliveIn is how long the daemon has to say that it is alive, which takes it a
// millisecond. A process that is stopped or hangs never does.
const aliveIn = 3 * time.Second

// A terminal is what a command reads from and writes to.
type terminal struct {
	in  io.Reader
	out io.Writer
	err io.Writer
}

// group is a command that only holds others.
func group(use, short, long string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  long,
		Args:  cli.Exactly(0, use+" takes none"),
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(commands...)
	return cmd
}

// An app is what the commands share.
type app struct {
	terminal
	version string
}

// ask calls f with a client, and waits for at most answerIn. It starts the daemon if
// none answers.
func (a *app) ask(ctx context.Context, f func(context.Context, *api.Client) error) error {
	limited, cancel := context.WithTimeout(ctx, answerIn)
	defer cancel()
	err := a.askFor(limited, f)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		if home, homeErr := api.Home(); homeErr == nil {
			if pid, pidErr := daemon.PID(home); pidErr == nil {
				return &hungError{pid} // it hung later
			}
		}
	}
	return err
}

// askFor is ask without a time limit, for what may take long.
func (a *app) askFor(ctx context.Context, f func(context.Context, *api.Client) error) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	alive := false
	err = client.Retry(ctx, func() error {
		if !alive {
			if _, err := health(ctx, client); err != nil {
				return err
			}
			alive = true
		}
		return f(ctx, client)
	})
	if err != nil && !alive {
		if why := daemon.Refuses(client.Home); why != nil {
			return why
		}
	}
	return err
}

// A hungError means that a daemon listens but does not answer.
type hungError struct{ pid int } // 0: not known

func (e *hungError) Error() string {
	if e.pid == 0 {
		return "the daemon does not answer"
	}
	return fmt.Sprintf("the daemon, process %d, does not answer", e.pid)
}

// health returns the daemon's health, or a hungError if that takes longer than aliveIn.
func health(ctx context.Context, c *api.Client) (api.Health, error) {
	limited, cancel := context.WithTimeout(ctx, aliveIn)
	defer cancel()
	h, err := c.Health(limited)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		return h, hung(c.Home)
	}
	return h, err
}

// hung returns the error for a daemon that does not answer.
func hung(home string) error {
	pid, err := daemon.PID(home)
	if err != nil {
		pid = 0
	}
	return &hungError{pid}
}

func (a *app) client() (*api.Client, error) {
	home, err := api.Home()
	if err != nil {
		return nil, err
	}
	return &api.Client{Home: home, Version: a.version}, nil
}

// here returns the working directory, or "" if it no longer exists.
func here() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// claudeDir returns Claude Code's configuration folder.
func claudeDir() (string, error) {
	if dir := os.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("find Claude Code's folder: %w", err)
	}
	return filepath.Join(home, ".claude"), nil
}
