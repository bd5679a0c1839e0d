// Package daemons has the commands that run, stop and pause the daemon, and that show its state, its
// statistics and its work, in the terminal or on a page.
package daemons

import (
	"context"
	"errors"
	"log"
	"log/slog"
	"os"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/cli/setup"
	"recollect/internal/daemon"
)

// NewDaemon returns the command daemon.
func NewDaemon(a *app.App) *cobra.Command {
	return app.NewGroup("daemon", "Run or stop the daemon", `The daemon keeps the memories open and answers the hooks and these commands. It
starts when it is needed and ends by itself; there is no need to run it.`,
		newDaemonRun(a), newDaemonStop(a))
}

func newDaemonRun(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:   "run",
		Short: "Run the daemon in the foreground",
		Long: `Run the daemon in the foreground until it is stopped, or has had no request for
daemon.idle_exit. It logs to stderr, in more detail with RECOLLECT_DEBUG=1.`,
		Example: `  RECOLLECT_DEBUG=1 recollect daemon run`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			home, err := api.Home()
			if err != nil {
				return err
			}
			logger := newLogger(a)
			// bleve prints errors about damaged files to the standard logger.
			log.SetOutput(slog.NewLogLogger(logger.Handler(), slog.LevelWarn).Writer())
			log.SetFlags(0)
			setup.Relink(home, logger)
			return daemon.Run(cmd.Context(), home, a.Version, logger)
		},
	}
}

func newLogger(a *app.App) *slog.Logger {
	level := slog.LevelInfo
	if os.Getenv("RECOLLECT_DEBUG") != "" {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(daemon.RedactedLog(a.Err), &slog.HandlerOptions{Level: level}))
}

func newDaemonStop(a *app.App) *cobra.Command {
	var force bool
	cmd := &cobra.Command{
		Use:   "stop",
		Short: "Ask the daemon to end, and wait until it has",
		Long: `Ask the daemon to end, and wait until it has. A daemon that hangs does not end when
it is asked; --force kills it if it has not ended after ` + app.AliveIn.String() + `. What it acknowledged is
stored.`,
		Example: `  recollect daemon stop
  recollect daemon stop --force`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.Client()
			if err != nil {
				return err
			}
			limit := app.AnswerIn
			if force {
				limit = app.AliveIn
			}
			running, err := app.StopDaemon(cmd.Context(), client, limit)
			did := "the daemon has ended; a hook or a command starts it again"
			switch {
			case err == nil && !running:
				did = "no daemon is running"
			case errors.Is(err, context.DeadlineExceeded) && force:
				did = "the daemon was killed; a hook or a command starts it again"
				err = app.KillDaemon(cmd.Context(), client.Home)
			case errors.Is(err, context.DeadlineExceeded):
				err = app.HungDaemon(client.Home)
			}
			if err != nil {
				return err
			}
			return cli.Fold(a.Out, cli.Span{}, did)
		},
	}
	cmd.Flags().BoolVar(&force, "force", false, "kill a daemon that does not end")
	return cmd
}
