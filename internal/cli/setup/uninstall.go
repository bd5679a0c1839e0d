package setup

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

// NewUninstall returns the command uninstall.
func NewUninstall(a *app.App) *cobra.Command {
	var purge, yes bool
	cmd := &cobra.Command{
		Use:   "uninstall",
		Short: "Stop the daemon and undo the status line; --purge deletes all memories",
		Long: `Stop the daemon, and take recollect out of Claude Code's status line and of the
settings of other agents that were connected. The plugin is removed by Claude Code
itself, with /plugin uninstall recollect; an open session that still has it starts the
daemon again. The memories stay, unless --purge deletes the
data folder, for good. That asks first, and does nothing if anything lies in the
folder that is not recollect's.`,
		Example: `  recollect uninstall
  recollect uninstall --purge`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if yes && !purge {
				return cli.Usage(errors.New("--yes is for --purge, which asks"))
			}
			return runUninstall(cmd.Context(), a, purge, yes)
		},
	}
	cmd.Flags().BoolVar(&purge, "purge", false, "delete the data folder with all memories")
	cmd.Flags().BoolVar(&yes, "yes", false, "do not ask")
	return cmd
}

func runUninstall(ctx context.Context, a *app.App, purge, yes bool) error {
	client, err := a.Client()
	if err != nil {
		return err
	}
	var data *dataFolder
	if purge {
		if data, err = findData(client.Home); err != nil {
			return err
		}
		if data != nil && !yes {
			if err := confirmPurge(a, data); err != nil {
				return err
			}
		}
	}
	running, err := app.StopDaemon(ctx, client, app.AnswerIn)
	if errors.Is(err, context.DeadlineExceeded) {
		return app.HungDaemon(client.Home)
	}
	if err != nil {
		return err
	}
	if running {
		fmt.Fprintln(a.Out, "the daemon has ended")
	}
	if _, err := uninstallStatusline(a); err != nil {
		fmt.Fprintf(a.Err, "recollect: %v\n", err) // go on with the rest
	}
	disconnectAll(a, client.Home)
	return removeData(a, client.Home, data)
}

// removeData deletes the data, if there are any to delete, and prints what remains.
func removeData(a *app.App, home string, data *dataFolder) error {
	if data != nil {
		if err := data.purgeFolder(); err != nil {
			return err
		}
		fmt.Fprintf(a.Out, "%s is deleted\n", home)
	} else if _, err := os.Stat(home); !errors.Is(err, fs.ErrNotExist) {
		cli.Fold(a.Out, cli.Span{}, fmt.Sprintf("the memories stay in %s; recollect uninstall --purge deletes them", home))
	}
	return cli.Fold(a.Out, cli.Span{}, "/plugin uninstall recollect, typed in Claude Code, removes the plugin")
}

func confirmPurge(a *app.App, data *dataFolder) error {
	if !a.CanAsk() {
		return cli.Usage(errors.New("uninstall --purge asks first, which needs a terminal: --yes deletes without asking"))
	}
	if !a.Confirm(fmt.Sprintf("delete %s with all memories for good?", data.path)) {
		return errors.New("nothing deleted")
	}
	return nil
}
