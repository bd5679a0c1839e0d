package main

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/store/backup"
	"recollect/internal/system/regular"
)

func newBackup(a *app) *cobra.Command {
	var asJSON, verify bool
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
				return a.verifyBackup(cmd.Context(), path, asJSON)
			}
			return a.backup(cmd.Context(), path, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&verify, "verify", false, "check the backup in FILE")
	return cmd
}

func (a *app) backup(ctx context.Context, path string, asJSON bool) error {
	var done api.BackedUp
	err := a.askFor(ctx, func(ctx context.Context, c *api.Client) (err error) {
		done, err = c.Backup(ctx, api.Backup{Path: path, Version: a.version})
		return err
	})
	if err != nil {
		return err
	}
	if asJSON {
		return cli.PrintJSON(a.out, done)
	}
	_, err = fmt.Fprintf(a.out, "%s in %s (%s MiB)\n", memories(done.Memories), done.Path, mebibytes(done.Bytes))
	return err
}

func (a *app) verifyBackup(ctx context.Context, path string, asJSON bool) error {
	f, err := regular.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	m, err := backup.Verify(ctx, f)
	switch {
	case err != nil:
		return fmt.Errorf("verify %s: %w", path, err)
	case asJSON:
		return cli.PrintJSON(a.out, m)
	}
	_, err = fmt.Fprintf(a.out, "%s is whole: %s\n", path, contentOf(m))
	return err
}

// contentOf says what a backup has.
func contentOf(m backup.Manifest) string {
	return fmt.Sprintf("%s in %s, made %s by recollect %s", memories(m.Memories), cli.Count(len(m.Files), "file", "files"),
		m.Made.Local().Format(time.DateTime), m.Recollect)
}
