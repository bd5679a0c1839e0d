package main

import (
	"context"
	"errors"
	"fmt"
	"log"
	"log/slog"
	"os"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/daemon"
)

func newDaemon(a *app) *cobra.Command {
	return group("daemon", "Run or stop the daemon", `The daemon keeps the memories open and answers the hooks and these commands. It
starts when it is needed and ends by itself; there is no need to run it.`,
		newDaemonRun(a), newDaemonStop(a))
}

func newDaemonRun(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "run",
		Short: "Run the daemon in the foreground",
		Long: `Run the daemon in the foreground until it is stopped, or has had no request for
daemon.idle_exit. It logs to stderr, in more detail with RECOLLECT_DEBUG=1.`,
		Example: `  RECOLLECT_DEBUG=1 recollect daemon run`,
		Args:    cli.Exactly(0, "daemon run takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			home, err := api.Home()
			if err != nil {
				return err
			}
			logger := a.logger()
			// bleve prints what it finds wrong with damaged files.
			log.SetOutput(slog.NewLogLogger(logger.Handler(), slog.LevelWarn).Writer())
			log.SetFlags(0)
			relink(home, logger)
			return daemon.Run(cmd.Context(), home, a.version, logger)
		},
	}
}

func (a *app) logger() *slog.Logger {
	level := slog.LevelInfo
	if os.Getenv("RECOLLECT_DEBUG") != "" {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(daemon.RedactedLog(a.err), &slog.HandlerOptions{Level: level}))
}

func newDaemonStop(a *app) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "stop",
		Short: "Ask the daemon to end, and wait until it has",
		Long: `Ask the daemon to end, and wait until it has. A daemon that hangs does not end when
it is asked; --force kills it if it has not ended after ` + aliveIn.String() + `. What it acknowledged is
stored.`,
		Example: `  recollect daemon stop
  recollect daemon stop --force`,
		Args: cli.Exactly(0, "daemon stop takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.client()
			if err != nil {
				return err
			}
			limit := answerIn
			if force {
				limit = aliveIn
			}
			running, err := stop(cmd.Context(), client, limit)
			switch {
			case err == nil && !running:
				_, err = fmt.Fprintln(a.out, "no daemon is running")
			case errors.Is(err, context.DeadlineExceeded) && force:
				err = kill(cmd.Context(), client.Home)
			case errors.Is(err, context.DeadlineExceeded):
				err = hung(client.Home)
			}
			return err
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "kill a daemon that does not end")
	return cmd
}

// stop asks the daemon to end, which it has to answer within aliveIn, and waits until none runs, at
// most for limit: one that does not listen is ending already. It returns false if none listened.
func stop(ctx context.Context, c *api.Client, limit time.Duration) (running bool, err error) {
	asking, cancel := context.WithTimeout(ctx, aliveIn)
	defer cancel()
	err = c.Shutdown(asking)
	running = !errors.Is(err, api.ErrNoDaemon)
	if running && err != nil {
		return true, err
	}
	waiting, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	return running, daemon.WaitForEnd(waiting, c.Home)
}

// kill ends the daemon at once.
func kill(ctx context.Context, home string) error {
	if err := daemon.Kill(home); err != nil {
		return err
	}
	waiting, cancel := context.WithTimeout(ctx, aliveIn)
	defer cancel()
	return daemon.WaitForEnd(waiting, home)
}
