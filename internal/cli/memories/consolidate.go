package memories

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
)

// NewConsolidate returns the command consolidate.
func NewConsolidate(a *app.App) *cobra.Command {
	var in api.Consolidate
	cmd := &cobra.Command{
		Use:   "consolidate",
		Short: "Merge memories that say the same thing",
		Long: `Merge memories of a project that say the same thing in nearly the same words, and
let newer decisions and preferences supersede older ones on the same subject. A
superseded memory is no longer injected but stays readable: "recollect show" names
the memory that supersedes it. Memories that you wrote yourself are superseded only
by others that you wrote.

The daemon does this by itself, some seconds after each capture.

With --review it judges the decisions and wishes anew that earlier versions took from
sessions, and makes candidates of what would not stand today ("recollect review
--candidates" lists them, "recollect review approve" undoes it). The daemon does this
once by itself, too.`,
		Example: `  recollect consolidate --dry-run
  recollect consolidate --review --dry-run
  recollect consolidate --json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return app.Show(cmd, a.Patient(), api.With((*api.Client).Consolidate, in), func(w io.Writer, done api.Consolidated) error {
				if in.Review {
					return printReconsidered(w, done.Candidates, in.DryRun)
				}
				return printMerges(w, done.Merges, in.DryRun)
			})
		},
	}
	cmd.Flags().BoolVar(&in.DryRun, "dry-run", false, "only print what would be done")
	cmd.Flags().BoolVar(&in.Review, "review", false, "judge anew what earlier versions took for decisions and wishes")
	return app.AddJSONFlag(cmd)
}

func printMerges(w io.Writer, merges []api.Merge, dry bool) error {
	verb := "supersedes"
	if dry {
		verb = "would supersede"
	}
	for _, m := range merges {
		if _, err := fmt.Fprintln(w, cli.Line(w, fmt.Sprintf("%s %s %s: %s | %s", m.ID, verb, m.OldID, m.Title, m.OldTitle))); err != nil {
			return err
		}
	}
	if len(merges) > 0 {
		return nil
	}
	_, err := fmt.Fprintln(w, "nothing to consolidate")
	return err
}

func printReconsidered(w io.Writer, changed []memory.Memory, dry bool) error {
	verb := "is a candidate now"
	if dry {
		verb = "would become a candidate"
	}
	for _, m := range changed {
		if _, err := fmt.Fprintln(w, cli.Line(w, fmt.Sprintf("%s %s, it stands with a probability of %.2f: %s", m.ID, verb, m.Candidate, m.Title))); err != nil {
			return err
		}
	}
	if len(changed) > 0 {
		return nil
	}
	_, err := fmt.Fprintln(w, "all stand")
	return err
}
