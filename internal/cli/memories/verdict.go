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

// NewWrong returns the command wrong.
func NewWrong(a *app.App) *cobra.Command {
	cmd := newOpinion(a, api.Wrong)
	cmd.Short = "Say that a memory is wrong, so that it is not injected"
	cmd.Long = `Say that a memory is wrong. It is not injected any more, in no session, and a search
leaves it out; show and explain say why. It stays stored, so that this can be taken
back. To delete a memory for good, use recollect forget. The beginning of an id is
enough, if no other id has the same.`
	cmd.Example = `  recollect wrong dec-5f0c1a2b3c4d
  recollect wrong --undo dec-5f0c1a2b3c4d`
	return cmd
}

// NewUseful returns the command useful.
func NewUseful(a *app.App) *cobra.Command {
	cmd := newOpinion(a, api.Useful)
	cmd.Short = "Say that a memory was useful"
	cmd.Long = `Say that a memory was useful. That counts as one more use of it, which lets it rank
higher. The beginning of an id is enough, if no other id has the same.`
	cmd.Example = `  recollect useful dec-5f0c1a2b3c4d
  recollect useful --undo dec-5f0c1a2b3c4d`
	return cmd
}

// newOpinion returns a command that stores a verdict on a memory.
func newOpinion(a *app.App, says string) *cobra.Command {
	var undo bool
	cmd := &cobra.Command{
		Use:               says + " ID",
		Args:              cli.Exactly(1, says+" needs one id"),
		ValidArgsFunction: a.CompleteIDs("", false),
		RunE: func(cmd *cobra.Command, args []string) error {
			v := api.Verdict{Says: says}
			if undo {
				v.Says = ""
			}
			before, err := app.Get(cmd.Context(), a, func(ctx context.Context, c *api.Client) (before api.Verdict, err error) {
				if v.ID, err = app.WholeID(ctx, c, args[0]); err != nil {
					return before, err
				}
				return c.SetVerdict(ctx, v)
			})
			if err != nil {
				return err
			}
			return app.Print(cmd, a, v, func(w io.Writer, v api.Verdict) error { return cli.FoldLines(w, verdictText(v, before.Says)) })
		},
	}
	cmd.Flags().BoolVar(&undo, "undo", false, "take back what was said of it")
	return app.AddJSONFlag(cmd)
}

// verdictText says what a verdict does, and what undoes it.
func verdictText(v api.Verdict, before string) string {
	switch {
	case v.Says == api.Wrong:
		return fmt.Sprintf("%s is not injected any more; recollect wrong --undo %s takes that back", v.ID, v.ID)
	case v.Says == api.Useful:
		return fmt.Sprintf("%s counts as used once more; recollect useful --undo %s takes that back", v.ID, v.ID)
	case before == "":
		return "nothing was said of " + v.ID
	}
	return fmt.Sprintf("taken back that %s is %s", v.ID, before)
}
