package main

import (
	"log/slog"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
	"recollect/lab/bench"
)

// newReuse returns the command that measures how much past sessions help with later tasks.
func newReuse() *cobra.Command {
	var plan bench.Plan
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "reuse DIR",
		Short: "Measure how much past sessions help with later tasks",
		Long: `Import the transcripts of DIR, send later tasks as prompts, and check whether
something from a session that is relevant to the task is injected. DIR holds
projects/, queries.jsonl and qrels.jsonl, the latter two plain or as .gz.

reuse@inject is the share of tasks for which a memory of a relevant session is
injected, precision@inject the share of such memories among all injected ones.
reuse@5 and reuse@10 count the first different sessions of the whole ranking.`,
		Example: `  recollect-bench reuse ~/transcripts/swe
  recollect-bench reuse ~/transcripts/swe --field text --set budget.items=3`,
		Args: cli.Exactly(1, "bench reuse needs a folder with transcripts and tasks"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := plan.Validate(); err != nil {
				return cli.Usage(err)
			}
			r, err := bench.RunReuse(cmd.Context(), args[0], plan, slog.New(slog.DiscardHandler))
			if err != nil {
				return err
			}
			warn(cmd, r.Flaws)
			if asJSON {
				return cli.PrintJSON(cmd.OutOrStdout(), r)
			}
			return r.Write(cmd.OutOrStdout())
		},
	}
	fieldFlag(cmd, &plan.Field, bench.FieldDetail)
	setFlag(cmd, &plan.Set)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
