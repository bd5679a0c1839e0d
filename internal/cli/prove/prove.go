// Package prove has the command that shows on past sessions what recollect would have known.
package prove

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/agents"
	"recollect/internal/agents/transcript"
	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/proof"
	"recollect/internal/store"
)

// explanation is the help of the command, with each rule of counting.
const explanation = `Replay your past sessions in the order in which they began. At each start, prompt and
tool call recollect is asked what it knows from the sessions that had ended before
the session began, and what it says is compared with what the session met again.

It only reads: nothing is written to the transcripts, nor to your memories. What
it needs meanwhile lies in your cache folder, closed to other users, and is deleted
at the end. Without --from the report is stored in the data folder, where there is
one, and recollect ui shows it; what you forget leaves it, too. If it is interrupted, the same command goes on from there. It needs no
installation, takes the shipped settings, and asks nobody outside this machine. It
uses one or two processors for some minutes: "recollect prove > proof.txt &".

Each count is a range: the low end has what is the same beyond doubt, the high end
also what is probably the same. Counted are, each once a session:

  a command that failed as in an earlier session of the project, which got past it
      low: the same command fixed it. high: another one, or none; or nothing had
      fixed it, but the call itself was wrong. What fails by the code that it
      checks is not counted.
      Known: a line said before the call has the fix; high: only the error.
  a rule or correction (said after Claude had answered) that was said before
      low: four words in common, and 70 % of the shorter one's; high: three, 50 %.
      Known: a line said in an earlier turn, or at the start, has 80 % of its
      words; high: 50 %, or it came with the very prompt that says the rule.
  a question that was asked before, by the low rule of a rule
      low: both answers share two long names, or four shorter ones, numbers or
      pairs of words; high: half as much.
      Known: what is said has as much of what both answers share.
  a file that was opened after a search for the same words as before
      low: the same words; high: half of them. Not what you named, nor what a
      search of 20 lines or more shows.
      Known: what was said before the search names the file with its folder; high:
      without it.

Something is known at the low end only if it also came up at the low end. Time runs
from the call that failed to the end of the one that worked, of a question over its
turn, without waits of more than five minutes; tokens are those written and newly
read meanwhile. Sub-agents' calls are learned from, but not replayed.`

// New returns the command prove.
func New(a *app.App) *cobra.Command {
	var from string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "prove",
		Short: "Replay your past sessions, and count what would have been known",
		Long:  explanation,
		Example: `  recollect prove
  recollect prove --from ~/.claude/projects
  recollect prove --json > proof.json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return prove(cmd.Context(), a, from, asJSON)
		},
	}
	cmd.Flags().StringVar(&from, "from", "", "folder of transcripts, or one (default: those of Claude Code and of the other agents)")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with every single finding")
	return cmd
}

// prove replays the sessions at a path and prints the report.
func prove(ctx context.Context, a *app.App, from string, asJSON bool) error {
	paths, where, err := pathsFrom(from)
	if err != nil {
		return err
	}
	report := proof.NewReport()
	if len(paths) > 0 {
		report, err = run(ctx, a, paths, from)
	}
	if err == nil && from == "" && report.Sessions > 0 {
		err = storeReport(report)
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
}

// storeReport stores a report of the user's own sessions for the page, if there is a data folder.
func storeReport(r *proof.Report) error {
	home, err := api.Home()
	if err != nil {
		return err
	}
	if _, err := os.Stat(home); errors.Is(err, fs.ErrNotExist) {
		return nil // recollect is not installed
	}
	return proof.Save(home, r, time.Now())
}

// run replays the sessions in a folder that is removed at the end, unless there is more to do.
func run(ctx context.Context, a *app.App, paths []string, from string) (*proof.Report, error) {
	dir, err := workFolder(from)
	if err != nil {
		return nil, err
	}
	withheld, err := withheldSessions(from)
	if err != nil {
		return nil, err
	}
	report, err := proof.Run(ctx, proof.Plan{
		Paths: paths, Dir: dir, Withheld: withheld, Open: openRecollect, Reading: show(a, "reading"), Progress: show(a, "replaying"),
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

// withheldSessions returns the sessions of the user's trial, if there is one: of others' transcripts there is none.
func withheldSessions(from string) (map[string]bool, error) {
	home, err := api.Home()
	if err != nil || from != "" {
		return nil, err
	}
	return proof.Withheld(home)
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
