package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/schollz/progressbar/v3"
	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/foreign"
	"recollect/internal/transcript"
)

func newImport(a *app) *cobra.Command {
	var asJSON bool
	var from string
	cmd := &cobra.Command{
		Use:   "import [PATH …]",
		Short: "Learn from past sessions, Markdown files, exports, or another memory program",
		Long: `Take memories from transcripts of Claude Code, from Markdown files with front
matter, and from what "recollect export" printed. A PATH is a file or a folder;
without one every project of your Claude Code folder is read. Files are only
read, never changed.

With --from a PATH is what another program keeps, its file or folder:

  claude-mem       ~/.claude-mem
  engram           ~/.engram
  local-recall     the repository, or the folder local-recall in it
  episodic-memory  ~/.config/superpowers
  memory-md        ~/.claude/projects, or a folder memory in it: what Claude
                   Code wrote down by itself

An import can be interrupted and run again: nothing is stored twice, and what
you deleted stays deleted.`,
		Example: `  recollect import
  recollect import ~/.claude/projects/-home-me-src-orders-api
  recollect import notes/*.md
  recollect import --from claude-mem ~/.claude-mem`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("from") {
				return a.importFrom(cmd.Context(), from, args, asJSON)
			}
			files, err := filesToImport(args)
			if err != nil {
				return err
			}
			total, err := a.importAll(cmd.Context(), files)
			if asJSON && err == nil {
				return cli.PrintJSON(a.out, total)
			}
			fmt.Fprintf(a.out, "%d files, %d turns: %d memories added, %d changed, %d known, %d deleted before, %d unreadable lines\n",
				len(files), total.Turns, total.Added, total.Changed, total.Unchanged, total.Forgotten, total.Skipped)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&from, "from", "", "the program that PATH is of: "+strings.Join(foreign.Names(), ", "))
	return cmd
}

func filesToImport(args []string) ([]string, error) {
	if len(args) == 0 {
		dir, err := claudeDir()
		if err != nil {
			return nil, err
		}
		args = []string{filepath.Join(dir, "projects")}
	}
	var files []string
	for _, root := range args {
		found, err := transcript.Files(root)
		if err != nil {
			return nil, err
		}
		files = append(files, found...)
	}
	return files, nil
}

// importAll imports one file after the other. A file that cannot be read is
// reported and passed over; the last such error is returned.
func (a *app) importAll(ctx context.Context, files []string) (total api.Imported, failed error) {
	show := a.progress(len(files))
	for i, path := range files {
		var done api.Imported
		path, err := filepath.Abs(path)
		if err == nil {
			err = a.askFor(ctx, func(ctx context.Context, c *api.Client) (err error) {
				done, err = c.Import(ctx, api.Import{Path: path})
				return err
			})
		}
		if ctx.Err() != nil {
			return total, fmt.Errorf("interrupted after %d of %d files; run the same command to go on", i, len(files))
		}
		if err != nil {
			failed = fmt.Errorf("import %s: %w", path, err)
			fmt.Fprintf(a.err, "recollect: %v\n", failed)
		}
		total.Add(done)
		show(i+1, path, done)
	}
	if total.Turns > 0 {
		failed = errors.Join(failed, a.consolidate(ctx))
	}
	return total, failed
}

// consolidate joins what transcripts said more than once, so that an import
// ends in the same state however often it was interrupted.
func (a *app) consolidate(ctx context.Context) error {
	return a.askFor(ctx, func(ctx context.Context, c *api.Client) error {
		if _, err := c.Consolidate(ctx, api.Consolidate{}); err != nil {
			return fmt.Errorf("consolidate: %w", err)
		}
		return nil
	})
}

// progress returns what shows that a file is done: a bar for people, lines
// for everything else.
func (a *app) progress(files int) func(n int, path string, done api.Imported) {
	if !isTerminal(a.err) {
		return func(n int, path string, done api.Imported) {
			fmt.Fprintf(a.err, "%d of %d: %s: %d turns, %d added, %d changed\n", n, files, path, done.Turns, done.Added, done.Changed)
		}
	}
	bar := progressbar.NewOptions(files,
		progressbar.OptionSetWriter(a.err),
		progressbar.OptionSetDescription("importing"),
		progressbar.OptionShowCount(),
		progressbar.OptionClearOnFinish(),
	)
	return func(int, string, api.Imported) { bar.Add(1) }
}
