package memories

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

// NewConsolidate returns the command consolidate.
func NewConsolidate(a *app.App) *cobra.Command {
	var asJSON, dry bool
	cmd := &cobra.Command{
		Use:   "consolidate",
		Short: "Merge memories that say the same thing",
		Long: `Merge memories of a project that say the same thing in nearly the same words, and
let newer decisions and preferences supersede older ones on the same subject. A
superseded memory is no longer injected but stays readable: "recollect show" names
the memory that supersedes it. Memories that you wrote yourself are superseded only
by others that you wrote.

The daemon does this by itself, some seconds after each capture.`,
		Example: `  recollect consolidate --dry-run
  recollect consolidate --json`,
		Args: cli.Exactly(0, "consolidate takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.AskLong(cmd.Context(), func(ctx context.Context, c *api.Client) error {
				done, err := c.Consolidate(ctx, api.Consolidate{DryRun: dry})
				if err != nil {
					return err
				}
				if asJSON {
					return cli.PrintJSON(a.Out, done)
				}
				return printMerges(a.Out, done.Merges, dry)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&dry, "dry-run", false, "only print what would be done")
	return cmd
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
