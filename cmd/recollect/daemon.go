package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
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
			return daemon.Run(cmd.Context(), home, a.version, logger)
		},
	}
}

func (a *app) logger() *slog.Logger {
	level := slog.LevelInfo
	if os.Getenv("RECOLLECT_DEBUG") != "" {
		level = slog.LevelDebug
	}
	return slog.New(slog.NewTextHandler(a.err, &slog.HandlerOptions{Level: level}))
}

func newDaemonStop(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "stop",
		Short:   "Ask the daemon to end, and wait until it has",
		Example: `  recollect daemon stop`,
		Args:    cli.Exactly(0, "daemon stop takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			client, err := a.client()
			if err != nil {
				return err
			}
			ctx, cancel := context.WithTimeout(cmd.Context(), answerIn)
			defer cancel()
			if err := client.Shutdown(ctx); errors.Is(err, api.ErrNoDaemon) {
				_, err := fmt.Fprintln(a.out, "no daemon is running")
				return err
			} else if err != nil {
				return err
			}
			return waitGone(ctx, client.Home)
		},
	}
}

// waitGone returns when the daemon has ended: it removes its socket last.
func waitGone(ctx context.Context, home string) error {
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for {
		if _, err := os.Lstat(api.SocketPath(home)); errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("wait for the daemon to end: %w", ctx.Err())
		case <-tick.C:
		}
	}
}
