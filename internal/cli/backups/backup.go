// Package backups has the commands that back up the data folder, and restore it.
package backups

import (
	"fmt"
	"io"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/store/backup"
	"recollect/internal/system/regular"
)

// NewBackup returns the command backup.
func NewBackup(a *app.App) *cobra.Command {
	var verify bool
	cmd := &cobra.Command{
		Use:   "backup FILE",
		Short: "Put everything that cannot be made again into one file",
		Long: `Write an archive, a tar.gz, of the memories, the settings, and what is known of
their use: everything in the data folder but what is made from it. The daemon goes
on working; the memories are as they were at one moment. The archive contains your
settings, with keys if you wrote some there, and only you can read it.

--verify checks a backup instead: that all of it is there, with the digests that it
was made with.`,
		Example: `  recollect backup ~/recollect-2026-11.tar.gz
  recollect backup --verify ~/recollect-2026-11.tar.gz`,
		Args: cli.Exactly(1, "backup needs one file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			path, err := filepath.Abs(args[0])
			if err != nil {
				return err
			}
			if verify {
				return verifyBackup(cmd, a, path)
			}
			return app.Show(cmd, a.Patient(), api.With((*api.Client).Backup, api.Backup{Path: path, Version: a.Version}), printBackup)
		},
	}
	cmd.Flags().BoolVar(&verify, "verify", false, "check the backup in FILE")
	return app.AddJSONFlag(cmd)
}

func printBackup(w io.Writer, done api.BackedUp) error {
	_, err := fmt.Fprintf(w, "%s in %s (%s MiB)\n", app.CountMemories(done.Memories), done.Path, app.FormatMebibytes(done.Bytes))
	return err
}

func verifyBackup(cmd *cobra.Command, a *app.App, path string) error {
	f, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	m, err := backup.Verify(cmd.Context(), f)
	if err != nil {
		return fmt.Errorf("verify %s: %w", path, err)
	}
	return app.Print(cmd, a, m, func(w io.Writer, m backup.Manifest) error {
		_, err := fmt.Fprintf(w, "%s is whole: %s\n", path, contentOf(m))
		return err
	})
}

// contentOf describes the content of a backup.
func contentOf(m backup.Manifest) string {
	return fmt.Sprintf("%s in %s, made %s by recollect %s", app.CountMemories(m.Memories), cli.Count(len(m.Files), "file", "files"),
		m.Made.Local().Format(time.DateTime), m.Recollect)
}
