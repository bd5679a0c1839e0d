package backups

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/daemon"
	"recollect/internal/share/machines"
	"recollect/internal/store/backup"
	"recollect/internal/system/regular"
)

// NewRestore returns the command restore.
func NewRestore(a *app.App) *cobra.Command {
	var replace bool
	cmd := &cobra.Command{
		Use:   "restore FILE",
		Short: "Put back what a backup contains",
		Long: `Put the memories, the settings, and what is known of their use from a backup into
the data folder. All of the backup is checked first. A data folder that has memories
or settings is left alone, unless --replace is given: then they are deleted, once the
daemon has opened those of the backup. The index and the vectors are made again.

A daemon that runs is stopped, and another one started.`,
		Example: `  recollect restore ~/recollect-2026-11.tar.gz
  recollect restore --replace ~/recollect-2026-11.tar.gz`,
		Args: cli.Exactly(1, "restore needs one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f, err := regular.Open(args[0])
			if err != nil {
				return err
			}
			defer f.Close()
			m, err := restoreBackup(cmd.Context(), a, f, replace)
			if err != nil {
				return fmt.Errorf("restore %s: %w", args[0], err)
			}
			_, err = fmt.Fprintf(a.Out, "restored: %s\n", contentOf(m))
			return err
		},
	}
	cmd.Flags().BoolVar(&replace, "replace", false, "replace what is in the data folder")
	return cmd
}

// A FullError means that the data folder is not empty, and may not be replaced.
type FullError struct{ home string }

func (e *FullError) Error() string {
	return e.home + " has memories or settings, which --replace would delete"
}

func restoreBackup(ctx context.Context, a *app.App, archive io.ReadSeeker, replace bool) (backup.Manifest, error) {
	home, err := api.Home()
	if err == nil {
		err = api.MakePrivate(home)
	}
	if err != nil {
		return backup.Manifest{}, err
	}
	m, err := backup.Stage(ctx, archive, home)
	if err != nil {
		return m, err
	}
	if err := swapIn(ctx, home, replace); err != nil {
		return m, err
	}
	return m, openRestored(ctx, a, home)
}

// swapIn replaces the data folder by the staged backup while no daemon runs.
func swapIn(ctx context.Context, home string, replace bool) error {
	ctx, cancel := context.WithTimeout(ctx, app.AnswerIn)
	defer cancel()
	staged := true
	err := daemon.Alone(ctx, home, func() error {
		holds, err := backup.Holds(home)
		switch {
		case err != nil:
			return err
		case holds && !replace:
			return &FullError{home}
		}
		staged = false
		if err := machines.Forget(home); err != nil { // the backup may lack memories that were read from targets
			return err
		}
		return backup.Swap(home)
	})
	if staged {
		err = errors.Join(err, backup.Discard(home))
	}
	return err
}

// openRestored starts a daemon on the restored data, and then removes the replaced data.
func openRestored(ctx context.Context, a *app.App, home string) error {
	if _, err := app.Get(ctx, a.Patient(), api.With((*api.Client).IDs, api.Beginning{Limit: 1})); err != nil {
		return fmt.Errorf("%w; what was replaced is in %s", err, backup.Replaced(home))
	}
	return backup.Finish(home)
}
