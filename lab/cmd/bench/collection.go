package main

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
	"recollect/lab/bench"
)

// newCollection returns the root command, which measures recall on a collection, with the other commands
// below it.
func newCollection() *cobra.Command {
	var plan bench.Plan
	var asJSON, perQuery bool
	var against string
	cmd := &cobra.Command{
		Use:   "recollect-bench DIR",
		Short: "Measure recall on a test collection",
		Long: `Measure how well recall answers the queries of a test collection. DIR holds
docs.jsonl, queries.jsonl, qrels.jsonl and, where there are queries without an
answer, queries_negative.jsonl, each plain or as .gz. The documents become
memories of a temporary data folder; your own memories are not touched.

Shares are in per cent in the table and from 0 to 1 in JSON. AUC and kept@5
say how well the best relevance distinguishes queries with an answer from those
without; injected and false are the shares of each for which something is injected.`,
		Example: `  recollect-bench ~/sets/beads-commits --field detail
  recollect-bench ~/sets/cosqa --legs lexical --set recall.synonym_weight=0
  recollect-bench ~/sets/cosqa --json --per-query >before.json
  recollect-bench ~/sets/cosqa --against before.json`,
		Args: cli.Exactly(1, "bench needs the folder of a collection"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := plan.Validate(); err != nil {
				return cli.Usage(err)
			}
			c, err := bench.Read(args[0])
			if err != nil {
				return err
			}
			warn(cmd, c.Flaws)
			r, err := bench.Run(cmd.Context(), c, plan, slog.New(slog.DiscardHandler))
			if err != nil {
				return err
			}
			return printReport(cmd, r, against, asJSON, perQuery)
		},
	}
	fieldFlag(cmd, &plan.Field, bench.FieldText)
	setFlag(cmd, &plan.Set)
	cmd.Flags().StringSliceVar(&plan.Retrievers, "legs", nil, "ways to rank: "+strings.Join(bench.Retrievers(), ", ")+" (default all)")
	cmd.Flags().StringVar(&against, "against", "", "compare with a run that was stored with --json --per-query")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&perQuery, "per-query", false, "with --json, the outcome of every query")
	cmd.AddCommand(newReuse(), newProve(), newSilence(), newCapture(), newStore(), newReader())
	return cmd
}

func fieldFlag(cmd *cobra.Command, field *string, value string) {
	cmd.Flags().StringVar(field, "field", value, "what of a query is sent: text, or detail (text and detail)")
}

func setFlag(cmd *cobra.Command, set *[]string) {
	cmd.Flags().StringArrayVar(set, "set", nil, "change a setting, key=value; may be repeated")
}

// warn prints what was left out of a collection.
func warn(cmd *cobra.Command, flaws []string) {
	for _, f := range flaws {
		cli.Warn(cmd.ErrOrStderr(), f)
	}
}

// printReport prints a report. If there are two rankings or a stored report, it also compares them query
// by query.
func printReport(cmd *cobra.Command, r *bench.Report, against string, asJSON, perQuery bool) error {
	pairs := r.Pairs()
	if against != "" {
		stored, err := bench.Stored(against)
		if err != nil {
			return err
		}
		more, err := r.Against(stored)
		if err != nil {
			return err
		}
		pairs = append(pairs, more...)
	}
	if asJSON {
		if !perQuery {
			r.Summarise()
		}
		return cli.PrintJSON(cmd.OutOrStdout(), r)
	}
	if err := r.Write(cmd.OutOrStdout()); err != nil {
		return err
	}
	for _, p := range pairs {
		fmt.Fprintln(cmd.OutOrStdout(), p)
	}
	return nil
}
