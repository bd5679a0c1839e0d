package sharing

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

// NewConflicts returns the command conflicts.
func NewConflicts(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:   "conflicts",
		Short: "List memories that two machines changed without knowledge of each other",
		Long: `List the memories of which your machines made several versions without knowledge of
each other. Version 1 is in force. The others are only here until you decide.`,
		Example: `  recollect conflicts
  recollect conflicts keep dec-0a1b2c3d4e5f 2`,
		Args: cli.Exactly(0, "conflicts takes none but keep"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			ask := func(ctx context.Context, c *api.Client) (api.Conflicts, error) { return c.Conflicts(ctx) }
			return app.Show(cmd, a, ask, printConflicts)
		},
	}
	cmd.AddCommand(newConflictsKeep(a))
	return app.AddJSONFlag(cmd)
}

func newConflictsKeep(a *app.App) *cobra.Command {
	return &cobra.Command{
		Use:     "keep ID [VERSION]",
		Short:   "Put a version in force on all machines, the first if none is named",
		Example: "  recollect conflicts keep dec-0a1b2c3d4e5f 2",
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			k := api.Keep{Version: 1}
			if len(args) == 0 || len(args) > 2 {
				return cli.Usage(fmt.Errorf("conflicts keep needs one id, and may have the number of a version"))
			}
			if len(args) == 2 {
				if k.Version, err = strconv.Atoi(args[1]); err != nil {
					return cli.Usage(fmt.Errorf("version %q: must be a number", args[1]))
				}
			}
			k.ID = args[0]
			return app.Show(cmd, a, api.With((*api.Client).Keep, k), func(w io.Writer, left api.Conflicts) error {
				_, err := fmt.Fprintf(w, "version %d of %s is in force; %d still to decide\n", k.Version, k.ID, len(left.Conflicts))
				return err
			})
		},
	}
}

func printConflicts(w io.Writer, found api.Conflicts) error {
	if len(found.Conflicts) == 0 {
		_, err := fmt.Fprintln(w, "no memory has several versions")
		return err
	}
	for _, c := range found.Conflicts {
		if _, err := fmt.Fprintln(w, c.ID); err != nil {
			return err
		}
		for i, v := range c.Versions {
			body := strings.ReplaceAll(v.Body(), "\n", "\n     ")
			fmt.Fprintf(w, "  %d  %s  %s\n     %s\n", i+1, v.RecordedAt.Local().Format(time.DateTime), v.Title, body)
		}
	}
	return nil
}
