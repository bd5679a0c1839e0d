package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
)

func newExplain(a *app) *cobra.Command {
	var asJSON bool
	var view explanationView
	var dir string
	cmd := &cobra.Command{
		Use:   "explain PROMPT",
		Short: "Show what would be injected with a prompt, and why",
		Long: `Show the block that Claude would get with a prompt in a new session, and the
candidates it was chosen from: how relevant each is, how relevant it needs to be,
and what became of it. With --parts it also shows the words that were looked
for, what each retriever found, and how every number came about. A relevance is
1/(1+exp(−z)), where z is the sum of its parts.`,
		Example: `  recollect explain "the build hangs in CI again"
  recollect explain --dir ~/src/orders-api "why are we out of connections?"`,
		Args: cli.AtLeast(1, "explain needs a prompt"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.ask(cmd.Context(), func(ctx context.Context, c *api.Client) error {
				e, err := c.Explain(ctx, api.Prompt{Prompt: strings.Join(args, " "), Cwd: dir})
				if err != nil {
					return err
				}
				if asJSON {
					return cli.PrintJSON(a.out, e)
				}
				if err := printInjected(a.out, e); err != nil {
					return err
				}
				if e.Skipped != "" {
					return nil
				}
				fmt.Fprintln(a.out)
				return printCandidates(a.out, e, fewCandidates, view)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	view.addFlags(cmd, "")
	cmd.Flags().StringVar(&dir, "dir", here(), "folder that the prompt is typed in")
	return cmd
}
