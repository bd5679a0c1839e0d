package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
)

func newUninstall(a *app) *cobra.Command {
	var purge, yes bool
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Stop the daemon and leave the status line; --purge deletes all memories",
		Long: `Stop the daemon, and take recollect out of Claude Code's status line and of the
settings of other agents that were connected. The plugin is removed by Claude Code itself, with /plugin uninstall recollect; do that first, or an
open session starts the daemon again. The memories stay, unless --purge deletes the
data folder, for good. That asks first, and does nothing if anything lies in the
folder that is not recollect's.`,
		Example: `  recollect uninstall
  recollect uninstall --purge`,
		Args: cli.Exactly(0, "uninstall takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if yes && !purge {
				return cli.Usage(errors.New("--yes is for --purge, which asks"))
			}
			return a.uninstall(cmd.Context(), purge, yes)
		},
	}
	cmd.Flags().BoolVar(&purge, "purge", false, "delete the data folder with all memories")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func (a *app) uninstall(ctx context.Context, purge, yes bool) error {
	client, err := a.client()
	if err != nil {
		return err
	}
	var data *dataFolder
	if purge {
		if data, err = findData(client.Home); err != nil {
			return err
		}
		if data != nil && !yes {
			if err := a.confirmPurge(data); err != nil {
				return err
			}
		}
	}
	running, err := stop(ctx, client, answerIn)
	if errors.Is(err, context.DeadlineExceeded) {
		return hung(client.Home)
	}
	if err != nil {
		return err
	}
	if running {
		fmt.Fprintln(a.out, "the daemon has ended")
	}
	if _, err := a.uninstallStatusline(); err != nil {
		fmt.Fprintf(a.err, "recollect: %v\n", err) // the rest does not depend on it
	}
	a.disconnectAll(client.Home)
	return a.leave(client.Home, data)
}

// leave deletes the data if there are any to delete, and says what remains.
func (a *app) leave(home string, data *dataFolder) error {
	if data != nil {
		if err := data.purge(); err != nil {
			return err
		}
		fmt.Fprintf(a.out, "%s is deleted\n", home)
	} else if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintf(a.out, "the memories stay in %s; recollect uninstall --purge deletes them\n", home)
	}
	_, err := fmt.Fprintln(a.out, "/plugin uninstall recollect, typed in Claude Code, removes the plugin")
	return err
}

// confirmPurge asks whether the data may be deleted.
func (a *app) confirmPurge(data *dataFolder) error {
	if !a.canAsk() {
		return cli.Usage(errors.New("uninstall --purge asks first, which needs a terminal: --yes deletes without asking"))
	}
	if !a.confirm(fmt.Sprintf("delete %s with all memories for good?", data.path)) {
		return errors.New("nothing deleted")
	}
	return nil
}
