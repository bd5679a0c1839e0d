package main

import (
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/bench"
)

func newBench(a *app) *cobra.Command {
	var plan bench.Plan
	var asJSON, perQuery bool
	var against string
	cmd := &cobra.Command{
		Use:   "bench DIR",
		Short: "Measure recall on a test collection",
		Long: `Measure how well recall answers the queries of a test collection. DIR holds
docs.jsonl, queries.jsonl, qrels.jsonl and, where there are queries without an
answer, queries_negative.jsonl, each plain or as .gz. The documents become
memories of a temporary data folder; your own memories are not touched.

Shares are in per cent in the table and from 0 to 1 in JSON. AUC and kept@5
say how well the best relevance tells a query with an answer from one without;
told and false say how many of each would have something injected.`,
		Example: `  recollect bench ~/sets/beads-commits --field detail
  recollect bench ~/sets/cosqa --legs lexical --set recall.terms=20
  recollect bench ~/sets/cosqa --json --per-query >before.json
  recollect bench ~/sets/cosqa --against before.json`,
		Args: exactly(1, "bench needs the folder of a collection"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := plan.Validate(); err != nil {
				return usageError{err}
			}
			c, err := bench.Read(args[0])
			if err != nil {
				return err
			}
			a.warn(c.Flaws)
			r, err := bench.Run(cmd.Context(), c, plan, slog.New(slog.DiscardHandler))
			if err != nil {
				return err
			}
			return a.printBench(r, against, asJSON, perQuery)
		},
	}
	fieldFlag(cmd, &plan.Field, bench.FieldText)
	setFlag(cmd, &plan.Set)
	cmd.Flags().StringSliceVar(&plan.Legs, "legs", nil, "ways to rank: "+strings.Join(bench.Legs(), ", ")+" (default all)")
	cmd.Flags().StringVar(&against, "against", "", "compare with a run that was stored with --json --per-query")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().BoolVar(&perQuery, "per-query", false, "with --json, the outcome of every query")
	cmd.AddCommand(newBenchReuse(a), newBenchSilence(a), newBenchCapture(a))
	return cmd
}

func newBenchReuse(a *app) *cobra.Command {
	var plan bench.Plan
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "reuse DIR",
		Short: "Measure how much past sessions help with later tasks",
		Long: `Import the transcripts of DIR, send later tasks as prompts, and see whether
something from a session that matters to the task is injected. DIR holds
projects/, queries.jsonl and qrels.jsonl, the latter two plain or as .gz.

reuse@inject is the share of tasks told something of a relevant session,
precision@inject the share of such memories among those told; reuse@5 and
reuse@10 look at the first different sessions of the whole ranking.`,
		Example: `  recollect bench reuse ~/transcripts/swe
  recollect bench reuse ~/transcripts/swe --field text --set budget.items=3`,
		Args: exactly(1, "bench reuse needs a folder with transcripts and tasks"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := plan.Validate(); err != nil {
				return usageError{err}
			}
			r, err := bench.RunReuse(cmd.Context(), args[0], plan, slog.New(slog.DiscardHandler))
			if err != nil {
				return err
			}
			a.warn(r.Flaws)
			if asJSON {
				return printJSON(a.out, r)
			}
			return r.Write(a.out)
		},
	}
	fieldFlag(cmd, &plan.Field, bench.FieldDetail)
	setFlag(cmd, &plan.Set)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func newBenchSilence(a *app) *cobra.Command {
	var set []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "silence PROMPTS DIR",
		Short: "Measure how often prompts that no memory bears on are told nothing",
		Long: `Send the prompts of a file of JSON Lines (id, text and, if you like, kind) to
the memories of DIR, which is a test collection or a folder with transcripts in
projects/. Each is typed in every project that has memories. Those that are
told something are listed with what it is.`,
		Example: `  recollect bench silence testdata/unrelated.jsonl ~/transcripts/swe`,
		Args:    exactly(2, "bench silence needs a file of prompts and a folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := bench.Settings(set); err != nil {
				return usageError{err}
			}
			prompts, err := bench.ReadChatter(args[0])
			if err != nil {
				return err
			}
			s, err := bench.RunSilence(cmd.Context(), args[1], prompts, set, slog.New(slog.DiscardHandler))
			if err != nil {
				return err
			}
			if asJSON {
				return printJSON(a.out, s)
			}
			return s.Write(a.out)
		},
	}
	setFlag(cmd, &set)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func fieldFlag(cmd *cobra.Command, field *string, value string) {
	cmd.Flags().StringVar(field, "field", value, "what of a query is sent: text, or detail (text and detail)")
}

func setFlag(cmd *cobra.Command, set *[]string) {
	cmd.Flags().StringArrayVar(set, "set", nil, "change a setting, key=value; may be repeated")
}

// warn says what was left out of a collection.
func (a *app) warn(flaws []string) {
	for _, f := range flaws {
		fmt.Fprintf(a.err, "recollect: %s\n", f)
	}
}

func (a *app) printBench(r *bench.Report, against string, asJSON, perQuery bool) error {
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
		return printJSON(a.out, r)
	}
	if err := r.Write(a.out); err != nil {
		return err
	}
	for _, p := range pairs {
		fmt.Fprintln(a.out, p)
	}
	return nil
}
