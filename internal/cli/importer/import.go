// Package importer has the command that imports past sessions, and the data of other programs.
package importer

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/agents/transcript"
	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

// NewImport returns the command import.
func NewImport(a *app.App) *cobra.Command {
	var asJSON bool
	var from string
	cmd := &cobra.Command{
		Use:   "import [PATH …]",
		Short: "Learn from past sessions, or import other memories",
		Long: `Import memories from transcripts of Claude Code, from Markdown files with front
matter, and from the output of "recollect export". A PATH is a file or a folder;
without one, all projects in your Claude Code folder are imported. The files are
never changed.

With --from codex, droid, gemini, qwen, copilot, opencode or cursor, a PATH is a
transcript of that coding agent or a folder of them, or the database of OpenCode;
without one, all its sessions are imported.

With --from and another program, a PATH is the file or folder in which that stores
its data:

  entire           a repository with its checkpoints (default: this one)
  specstory        the folder .specstory, or a chat in it (default: this folder)
  chatgpt          conversations.json of an export, or its folder
  claude-ai        the same
  claude-mem       ~/.claude-mem
  engram           ~/.engram
  local-recall     the repository, or the folder local-recall in it
  episodic-memory  ~/.config/superpowers
  memory-md        ~/.claude/projects, or a memory folder in it: the files in
                   which Claude Code stores memories of its own

An import can be interrupted and repeated: nothing is stored twice, and what you
have deleted stays deleted.

What cannot be read is named and left out, and the rest is imported. Exit status: 1
if that is a file, a record of another program, or a turn that recollect fails to
read because of a mistake of its own; unreadable lines are only counted.`,
		Example: `  recollect import
  recollect import ~/.claude/projects/-home-me-src-orders-api
  recollect import notes/*.md
  recollect import --from codex
  recollect import --from claude-mem ~/.claude-mem`,
		RunE: func(cmd *cobra.Command, args []string) error {
			if cmd.Flags().Changed("from") {
				return importFrom(cmd.Context(), a, from, args, asJSON)
			}
			if len(args) > 0 {
				return importPaths(cmd.Context(), a, args, asJSON)
			}
			return ImportOwn(cmd.Context(), a, asJSON)
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&from, "from", "", "agent or program that stores its data at PATH: "+strings.Join(programNames(), ", "))
	cmd.RegisterFlagCompletionFunc("from", app.CompleteOneOf(programNames()...))
	return cmd
}

// ImportOwn imports the sessions in Claude Code's folder, which does not exist
// before the first one.
func ImportOwn(ctx context.Context, a *app.App, asJSON bool) error {
	dir, err := app.ClaudeDir()
	if err != nil {
		return err
	}
	root := filepath.Join(dir, "projects")
	if _, err := os.Stat(root); !errors.Is(err, fs.ErrNotExist) {
		return importPaths(ctx, a, []string{root}, asJSON)
	}
	if asJSON {
		return cli.PrintJSON(a.Out, api.Imported{})
	}
	_, err = fmt.Fprintf(a.Out, "no sessions found in %s yet\n", root)
	return err
}

// importPaths imports the transcripts at some paths, and prints the result.
func importPaths(ctx context.Context, a *app.App, paths []string, asJSON bool) error {
	var files []string
	var unread error
	for _, root := range paths {
		found, err := transcript.Files(root)
		unread = errors.Join(unread, err)
		files = append(files, found...)
	}
	if len(files) == 0 && unread != nil {
		return unread
	}
	return errors.Join(unread, importFiles(ctx, a, files, asJSON))
}

func importFiles(ctx context.Context, a *app.App, files []string, asJSON bool) error {
	total, err := importAll(ctx, a, files)
	err = errors.Join(err, leftOut(total))
	if asJSON {
		return errors.Join(err, cli.PrintJSON(a.Out, total))
	}
	sum := fmt.Sprintf("%s, %s: %s added, %d changed, %d unchanged, %d deleted before, %s",
		cli.Count(len(files), "file", "files"), countTurns(total.Turns), app.CountMemories(total.Added), total.Changed, total.Unchanged, total.Forgotten,
		cli.Count(total.Skipped, "unreadable line", "unreadable lines"))
	cli.Fold(a.Out, cli.Span{}, sum)
	return err
}

func leftOut(total api.Imported) error {
	if total.Unreadable == 0 {
		return nil
	}
	return fmt.Errorf("import: %s could not be read and %s left out", cli.Count(total.Unreadable, "record", "records"), verbOf(total.Unreadable))
}

func verbOf(n int) string {
	if n == 1 {
		return "was"
	}
	return "were"
}

func nameUnread(a *app.App, done api.Imported) {
	n := 0
	for line := range strings.SplitSeq(done.Unread, "\n") {
		if line != "" {
			cli.Warn(a.Err, "import leaves out "+line)
			n++
		}
	}
	if more := done.Unreadable - n; more > 0 {
		cli.Warn(a.Err, fmt.Sprintf("import leaves out %d more", more))
	}
}

func countTurns(n int) string { return cli.Count(n, "turn", "turns") }

// importAll imports one file after the other. It reports errors and goes on; the
// last error is returned.
func importAll(ctx context.Context, a *app.App, files []string) (total api.Imported, failed error) {
	show := showProgress(a, len(files))
	for i, path := range files {
		var done api.Imported
		path, err := filepath.Abs(path)
		if err == nil {
			err = a.AskLong(ctx, func(ctx context.Context, c *api.Client) (err error) {
				done, err = c.Import(ctx, api.Import{Path: path})
				return err
			})
		}
		if ctx.Err() != nil {
			return total, fmt.Errorf("interrupted after %d of %s; run the same command again to continue", i, cli.Count(len(files), "file", "files"))
		}
		if err != nil {
			failed = fmt.Errorf("import %s: %w", path, err)
			cli.Warn(a.Err, failed.Error())
		}
		if done.Left != "" {
			cli.Warn(a.Err, path+": "+done.Left)
		}
		nameUnread(a, done)
		total.Add(done)
		show(i+1, path, done)
	}
	if total.Turns > 0 {
		failed = errors.Join(failed, consolidateMemories(ctx, a))
	}
	return total, failed
}

// consolidateMemories consolidates what several transcripts contain, so that the result of an
// import does not depend on interruptions.
func consolidateMemories(ctx context.Context, a *app.App) error {
	return a.AskLong(ctx, func(ctx context.Context, c *api.Client) error {
		if _, err := c.Consolidate(ctx, api.Consolidate{}); err != nil {
			return fmt.Errorf("consolidate: %w", err)
		}
		return nil
	})
}

// showProgress returns a function that shows that a file is done: with a bar on a
// terminal, else with a line.
func showProgress(a *app.App, files int) func(n int, path string, done api.Imported) {
	if !app.IsTerminal(a.Err) {
		return func(n int, path string, done api.Imported) {
			fmt.Fprintf(a.Err, "%d of %d: %s: %s, %d added, %d changed\n", n, files, path, countTurns(done.Turns), done.Added, done.Changed)
		}
	}
	bar := cli.NewBar(a.Err, "importing")
	return func(n int, _ string, _ api.Imported) { bar.Show(n, files) }
}
