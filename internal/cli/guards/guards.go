// Package guards has the command that lists guards, and makes and drops them: rules over tool calls that
// the user has switched on. A guard is on only after its rehearsal was shown and the user said yes.
package guards

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

// NewGuard returns the command guard.
func NewGuard(a *app.App) *cobra.Command {
	cmd := newList(a, "guard")
	cmd.Aliases = []string{"guards"}
	cmd.Short = "Rules over tool calls that bind: list, add and drop them"
	cmd.Long = `List the guards: rules over Claude's tool calls, made of what you said. A guard warns
Claude, asks you, or refuses the call. Each shows how often it did that, and how often you let
a call through that it asked about.

A guard is on only after you have said yes to it. Without a daemon, in a pause, or if its
memory is forgotten or superseded, it does nothing.`
	cmd.Example = `  recollect guard
  recollect guard --suggest
  recollect guard add "never npm here"
  recollect guard rm pref-5f0c1a2b3c4d`
	list := newList(a, "list")
	list.Short = "List the guards"
	cmd.AddCommand(list, newAdd(a), newRemove(a))
	return cmd
}

func newList(a *app.App, use string) *cobra.Command {
	var at app.Place
	var suggest bool
	cmd := &cobra.Command{
		Use:  use,
		Args: cli.Exactly(0, use+" takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			where, err := at.Where(1)
			if err != nil {
				return err
			}
			ask := api.With((*api.Client).Guards, api.AskGuards{Where: where, Suggest: suggest})
			return app.Show(cmd, a, ask, func(w io.Writer, l api.GuardList) error {
				if suggest {
					return printSuggested(w, l.Suggested)
				}
				return printGuards(w, l.Guards, at.All)
			})
		},
	}
	at.AddListFlags(cmd)
	cmd.Flags().BoolVar(&suggest, "suggest", false, "list wishes of yours that could be guards")
	return app.AddJSONFlag(cmd)
}

func newRemove(a *app.App) *cobra.Command {
	cmd := &cobra.Command{
		Use:        "rm ID",
		SuggestFor: []string{"remove", "delete", "del", "drop"}, // no aliases, because engine's ownSwitch knows only rm
		Short:      "Drop a guard; what you said stays a memory",
		Args:       cli.Exactly(1, "rm needs the id of a guard"),
		RunE: func(cmd *cobra.Command, args []string) error {
			ask := func(ctx context.Context, c *api.Client) (api.Guard, error) {
				id, err := wholeGuardID(ctx, c, args[0])
				if err != nil {
					return api.Guard{}, err
				}
				return c.RemoveGuard(ctx, id)
			}
			return app.Show(cmd, a, ask, func(w io.Writer, g api.Guard) error {
				return cli.Fold(w, cli.Span{}, "dropped: "+g.Says)
			})
		},
	}
	return app.AddJSONFlag(cmd)
}

// wholeGuardID returns the only id of a guard that begins with prefix. The memory of a guard may be gone.
func wholeGuardID(ctx context.Context, c *api.Client, prefix string) (string, error) {
	list, err := c.Guards(ctx, api.AskGuards{Where: api.Where{All: true}})
	if err != nil {
		return "", err
	}
	var found []string
	for _, g := range list.Guards {
		if len(prefix) <= len(g.ID) && g.ID[:len(prefix)] == prefix {
			found = append(found, g.ID)
		}
	}
	switch len(found) {
	case 0:
		return "", errors.New(prefix + ": no guard has this id; recollect guard --all lists them")
	case 1:
		return found[0], nil
	}
	return "", cli.Usage(fmt.Errorf("%d guards begin with %s", len(found), prefix))
}
