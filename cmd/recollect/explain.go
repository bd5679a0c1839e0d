package main

import (
	"context"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
)

func newExplain(a *app) *cobra.Command {
	var asJSON, all bool
	var dir string
	cmd := &cobra.Command{
		Use:   "explain PROMPT",
		Short: "Show what a prompt would be told, and why",
		Long: `Show what Claude would be told with a prompt in a new session: the words that
were looked for, what each retriever found, every candidate with each step of
its score, and what was left out and why. A relevance is 1/(1+exp(−z)), where z
is the sum of the parts shown.`,
		Example: `  recollect explain "the build hangs in CI again"
  recollect explain --dir ~/src/orders-api "why are we out of connections?"`,
		Args: atLeast(1, "explain needs a prompt"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.ask(cmd.Context(), func(ctx context.Context, c *api.Client) error {
				e, err := c.Explain(ctx, api.Prompt{Prompt: strings.Join(args, " "), Cwd: dir})
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(a.out, e)
				}
				if err := printExplanation(a.out, e, all); err != nil || e.Skipped != "" {
					return err
				}
				return printTold(a.out, e)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&all, "all", false, allUsage)
	cmd.Flags().StringVar(&dir, "dir", here(), "folder that the prompt is typed in")
	return cmd
}

// printTold ends an explanation with what Claude would read.
func printTold(w io.Writer, e api.Explanation) error {
	if e.Context == "" {
		_, err := fmt.Fprintln(w, "\ntold: nothing")
		return err
	}
	_, err := fmt.Fprintf(w, "\ntold, %d of %d tokens:\n\n%s\n", e.Tokens, e.Budget, e.Context)
	return err
}
