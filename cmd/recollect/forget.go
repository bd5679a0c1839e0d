package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"recollect/internal/api"
)

func newForget(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "forget ID …",
		Short: "Delete memories",
		Long: `Delete memories. Their words are removed from the log within seconds, and an
import does not bring them back.`,
		Example: `  recollect forget note-0c1d2e3f4a5b`,
		Args:    atLeast(1, "forget needs an id"),
		RunE: func(cmd *cobra.Command, args []string) error {
			for _, id := range args {
				err := a.ask(cmd.Context(), func(ctx context.Context, c *api.Client) error {
					m, err := c.Forget(ctx, id)
					if err != nil {
						return err
					}
					_, err = fmt.Fprintf(a.out, "deleted %s from project '%s': %s\n", m.ID, m.Project, m.Title)
					return err
				})
				if err != nil {
					return err
				}
			}
			return nil
		},
	}
}
