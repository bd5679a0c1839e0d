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
		Long: `Show what would be injected with a prompt in a new session, and the candidates
that it was chosen from. A line shows the relevance of a candidate, the relevance
that it needs, and whether it was injected or why it was held back.

--parts also shows the terms that were searched for, what each retriever found,
and the parts of every relevance and score. A relevance is 1/(1+exp(−z)), where z
is the sum of its parts.`,
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
	cmd.Flags().StringVar(&dir, "dir", here(), "folder in which the prompt is typed")
	return cmd
}
