package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"recollect/internal/api"
)

func newExplain(a *app) *cobra.Command {
	var asJSON bool
	var dir string
	cmd := &cobra.Command{
		Use:   "explain PROMPT",
		Short: "Show what a prompt would be told, and why",
		Long: `Show what Claude would be told with a prompt in a new session: the words that
were looked for, every candidate with each step of its score, and what was
left out and why.`,
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
				return printExplanation(a.out, e)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&dir, "dir", here(), "folder that the prompt is typed in")
	return cmd
}

func printExplanation(w io.Writer, e api.Explanation) error {
	fmt.Fprintf(w, "prompt    %s\n", firstLine(e.Prompt))
	fmt.Fprintf(w, "project   %s\n", projectText(e))
	if e.Skipped != "" {
		_, err := fmt.Fprintf(w, "told      nothing: %s\n", e.Skipped)
		return err
	}
	if e.Index != "ready" {
		fmt.Fprintf(w, "index     %s: results are not complete\n", e.Index)
	}
	fmt.Fprintf(w, "ranker    %s, threshold %v\n\n", e.Ranker, e.Threshold)
	if err := printTerms(w, e.Terms); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := printCandidates(w, e.Candidates); err != nil {
		return err
	}
	if e.Context == "" {
		_, err := fmt.Fprintln(w, "\ntold: nothing")
		return err
	}
	_, err := fmt.Fprintf(w, "\ntold, %d of %d tokens:\n\n%s\n", e.Tokens, e.Budget, e.Context)
	return err
}

func projectText(e api.Explanation) string {
	if e.Project.Remote != "" {
		return fmt.Sprintf("%s (%s, %s)", e.Project.Name, e.Project.Path, e.Project.Remote)
	}
	return fmt.Sprintf("%s (%s)", e.Project.Name, e.Project.Path)
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}

func printTerms(w io.Writer, terms []api.Term) error {
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "TERM\tWEIGHT\tRARITY\tMEMORIES\tALSO")
	for _, term := range terms {
		fmt.Fprintf(t, "%s\t%.2f\t%.1f\t%d\t%s\n", term.Text, term.Weight, term.IDF, term.Memories, strings.Join(term.Synonyms, " "))
	}
	return t.Flush()
}

func printCandidates(w io.Writer, candidates []api.Candidate) error {
	if len(candidates) == 0 {
		_, err := fmt.Fprintln(w, "no candidates")
		return err
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	fmt.Fprintf(t, "ID\tSCORE\t%s\tAGE\tPROJECT\tOUTCOME\tMATCHED\tTITLE\n", factorNames(candidates[0].Factors))
	for _, c := range candidates {
		fmt.Fprintf(t, "%s\t%.3f\t%s\t%s\t%s\t%s\t%s\t%s\n",
			c.ID, c.Score, factorValues(c.Factors), c.Age, c.Project, c.Outcome, strings.Join(c.Matched, " "), clip(c.Title, 40))
	}
	return t.Flush()
}

// factorNames heads the columns of a score's factors, with the sign that
// joins them: a product has no weights.
func factorNames(factors []api.Factor) string {
	sign, names := "× ", make([]string, len(factors))
	for i, f := range factors {
		names[i] = strings.ToUpper(f.Name)
		if f.Weight != 1 {
			sign = "+ "
		}
	}
	return "= " + strings.Join(names, "\t"+sign)
}

func factorValues(factors []api.Factor) string {
	values := make([]string, len(factors))
	for i, f := range factors {
		values[i] = fmt.Sprintf("%.2f", f.Value)
		if f.Weight != 1 {
			values[i] += fmt.Sprintf("×%.1f", f.Weight)
		}
	}
	return strings.Join(values, "\t")
}

func clip(s string, runes int) string {
	r := []rune(s)
	if len(r) <= runes {
		return s
	}
	return string(r[:runes-1]) + "…"
}
