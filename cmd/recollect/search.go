package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/memory"
)

func newSearch(a *app) *cobra.Command {
	var asJSON, explain, all bool
	var project, source string
	var limit int
	cmd := &cobra.Command{
		Use:   "search QUERY",
		Short: "Find memories",
		Long: `Find the memories that bear on a query, best first, in every project and source.
Unlike a prompt, a search shows weak results too. With --explain it shows how
they were found and what was left out, as recollect explain does for a prompt.`,
		Example: `  recollect search connection pool timeout
  recollect search --source failures --project orders-api deploy
  recollect search --explain connection pool timeout`,
		Args: atLeast(1, "search needs a query"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if limit < 1 {
				return usageError{fmt.Errorf("limit %d: must be 1 or more", limit)}
			}
			if source != "" {
				if _, err := memory.ParseSource(source); err != nil {
					return usageError{err}
				}
			}
			project, err := projectName(project)
			if err != nil {
				return err
			}
			return a.ask(cmd.Context(), func(ctx context.Context, c *api.Client) error {
				search := c.Search
				if explain {
					search = c.ExplainSearch
				}
				found, err := search(ctx, strings.Join(args, " "), here(), project, source, limit)
				if err != nil {
					return err
				}
				if asJSON {
					return printJSON(a.out, found)
				}
				if found.Explanation != nil {
					return printExplanation(a.out, *found.Explanation, all)
				}
				return printFound(a.out, found.Results)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&explain, "explain", false, "show how the results were found")
	cmd.Flags().BoolVar(&all, "all", false, "with --explain: "+allUsage)
	cmd.Flags().StringVar(&project, "project", "", "only this project (its name or its folder)")
	cmd.Flags().StringVar(&source, "source", "", "only this source (patterns, journal, failures …)")
	cmd.Flags().IntVarP(&limit, "limit", "n", 10, "how many results at most")
	return cmd
}

func printFound(w io.Writer, results []api.Found) error {
	if len(results) == 0 {
		_, err := fmt.Fprintln(w, "nothing found")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for _, r := range results {
		m := r.Memory
		title := m.Title
		if s := seen(m); s != "" {
			title += " (seen " + s + ")"
		}
		fmt.Fprintf(t, "%s\t%.2f\t%s\t%s\t%s\t%s\n",
			m.ID, r.Relevance, m.Source.Label(), m.OccurredAt.Local().Format(time.DateOnly), m.Project, title)
	}
	return t.Flush()
}
