// Package prove has the command that shows on past sessions what recollect would have known.
package prove

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/agents"
	"recollect/internal/agents/transcript"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/proof"
	"recollect/internal/store"
)

// New returns the command prove.
func New(a *app.App) *cobra.Command {
	var from string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "prove",
		Short: "Replay your past sessions, and count what would have been known",
		Long: `Replay your past sessions in the order in which they happened. Each prompt and tool
call is answered from the sessions that had ended before, and compared with what
the session then met again: failures that had been fixed, rules and corrections
that you said again, questions, files that were searched for.

It only reads: nothing is written to the transcripts, nor to your memories. What
it needs meanwhile lies in your cache folder, closed to other users, and is
deleted at the end. If it is interrupted, the same command goes on from there.
It does not need recollect to be installed.`,
		Example: `  recollect prove
  recollect prove --from ~/.claude/projects
  recollect prove --json > proof.json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			paths, where, err := pathsFrom(from)
			if err != nil {
				return err
			}
			report := proof.NewReport()
			if len(paths) > 0 {
				report, err = run(cmd.Context(), a, paths, from)
			}
			switch {
			case err != nil:
				return err
			case asJSON:
				return cli.PrintJSON(a.Out, report)
			case report.Sessions == 0:
				_, err = fmt.Fprintf(a.Out, "no sessions found in %s yet\n", where)
				return err
			}
			return writeReport(a.Out, report)
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "folder of transcripts, or one (default: those of Claude Code and of the other agents)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with every single finding")
	return cmd
}

// run replays the sessions in a folder that is removed at the end, unless there is more to do.
func run(ctx context.Context, a *app.App, paths []string, from string) (*proof.Report, error) {
	dir, err := workFolder(from)
	if err != nil {
		return nil, err
	}
	report, err := proof.Run(ctx, proof.Plan{
		Paths: paths, Dir: dir, Open: openRecollect, Reading: show(a, "reading"), Progress: show(a, "replaying"),
		Unread: func(why error) { cli.Warn(a.Err, "left out: "+why.Error()) },
	})
	var early *proof.Interrupted
	switch {
	case errors.Is(err, store.ErrLocked):
		return nil, fmt.Errorf("another recollect prove is replaying these sessions (%s)", dir)
	case errors.As(err, &early):
		return nil, err
	}
	return report, errors.Join(err, os.RemoveAll(dir))
}

func openRecollect(ctx context.Context, dir string) (proof.Memory, func() error, error) {
	m, err := proof.OpenRecollect(ctx, dir)
	if err != nil {
		return nil, nil, err
	}
	return m, m.Close, nil
}

// pathsFrom returns the transcripts at a path, or all that can be found without one, and where they lie.
func pathsFrom(from string) (paths []string, where string, err error) {
	if from != "" {
		paths, err = transcript.Files(from)
		return paths, from, err
	}
	dir, err := app.ClaudeDir()
	if err != nil {
		return nil, "", err
	}
	paths = app.TranscriptsIn(dir)
	for _, name := range agents.Names() {
		if root, err := agents.Root(name); err == nil {
			found, _ := agents.Files(name, root) // most are not installed
			paths = append(paths, found...)
		}
	}
	return slices.Compact(paths), filepath.Join(dir, "projects"), nil
}

// workFolder returns the folder of the replay of what lies at a path.
func workFolder(from string) (string, error) {
	cache, err := os.UserCacheDir()
	if err != nil {
		return "", fmt.Errorf("find the cache folder: %w", err)
	}
	if from, err = filepath.Abs(strings.TrimSpace(from)); err != nil {
		return "", err
	}
	sum := sha256.Sum256([]byte(from))
	return filepath.Join(cache, "recollect", "prove-"+hex.EncodeToString(sum[:6])), nil
}

// fewFiles are read before anybody asks how far it is.
const fewFiles = 20

// show returns a function that shows how far something is, with a bar on a terminal, else with a line at each tenth.
func show(a *app.App, what string) func(done, all int) {
	if app.IsTerminal(a.Err) {
		return cli.NewBar(a.Err, what).Show
	}
	return func(done, all int) {
		if all >= fewFiles && 10*done/all > 10*(done-1)/all {
			fmt.Fprintf(a.Err, "%s: %d of %d\n", what, done, all)
		}
	}
}
