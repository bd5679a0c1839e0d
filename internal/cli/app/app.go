// Package app has what the commands of recollect share: asking the daemon and printing its answer, the
// folder and the project that a command works in, the completion of ids, and texts that several
// commands print.
package app

import (
	"context"
	"errors"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/daemon"
)

// AnswerIn is how long a command waits for an answer, including the start of the
// daemon.
const AnswerIn = 30 * time.Second

// AliveIn is how long the daemon may take to report its health, which usually
// takes a millisecond. After that it hangs.
const AliveIn = 3 * time.Second

// A Terminal has the streams that a command reads from and writes to.
type Terminal struct {
	In  io.Reader
	Out io.Writer
	Err io.Writer
}

// NewGroup returns a command that only has subcommands.
func NewGroup(use, short, long string, commands ...*cobra.Command) *cobra.Command {
	cmd := &cobra.Command{
		Use:   use,
		Short: short,
		Long:  long,
		RunE:  func(cmd *cobra.Command, _ []string) error { return cmd.Help() },
	}
	cmd.AddCommand(commands...)
	return cmd
}

// An App has what every command needs.
type App struct {
	Terminal
	Version string
	patient bool // waits for answers without a limit
}

// Patient returns an app whose Ask has no time limit.
func (a *App) Patient() *App {
	patient := *a
	patient.patient = true
	return &patient
}

// Ask calls f with a client, and waits for at most AnswerIn. It starts the daemon if none
// answers.
func (a *App) Ask(ctx context.Context, f func(context.Context, *api.Client) error) error {
	if a.patient {
		return a.AskLong(ctx, f)
	}
	limited, cancel := context.WithTimeout(ctx, AnswerIn)
	defer cancel()
	err := a.AskLong(limited, f)
	if errors.Is(err, context.DeadlineExceeded) && ctx.Err() == nil {
		if home, homeErr := api.Home(); homeErr == nil {
			if pid, pidErr := daemon.PID(home); pidErr == nil {
				return &HungError{pid} // it hangs only now
			}
		}
	}
	return err
}

// AskLong is Ask without a time limit.
func (a *App) AskLong(ctx context.Context, f func(context.Context, *api.Client) error) error {
	client, err := a.Client()
	if err != nil {
		return err
	}
	alive := false
	err = client.Retry(ctx, func() error {
		if !alive {
			if _, err := checkHealth(ctx, client); err != nil {
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

// Client returns a client of the daemon.
func (a *App) Client() (*api.Client, error) {
	home, err := api.Home()
	if err != nil {
		return nil, err
	}
	return &api.Client{Home: home, Version: a.Version}, nil
}

// WorkingDir returns the working directory, or "" if it no longer exists.
func WorkingDir() string {
	dir, err := os.Getwd()
	if err != nil {
		return ""
	}
	return dir
}

// WaitFor waits for d, or until ctx ends.
func WaitFor(ctx context.Context, d time.Duration) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}
