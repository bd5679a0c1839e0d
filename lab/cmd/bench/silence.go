package main

import (
	"log/slog"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
	"recollect/lab/bench"
)

// newSilence returns the command that measures when nothing is injected.
func newSilence() *cobra.Command {
	var set []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "silence PROMPTS DIR",
		Short: "Measure how often nothing is injected for prompts to which no memory is relevant",
		Long: `Send the prompts of a file of JSON Lines (id, text and, if you like, kind) to
the memories of DIR, which is a test collection or a folder with transcripts in
projects/. Each is sent in every project that has memories. Those for which
something is injected are listed with what it is.`,
		Example: `  recollect-bench silence testdata/unrelated.jsonl ~/transcripts/swe`,
		Args:    cli.Exactly(2, "bench silence needs a file of prompts and a folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if _, err := bench.Settings(set); err != nil {
				return cli.Usage(err)
			}
			prompts, err := bench.ReadPrompts(args[0])
			if err != nil {
				return err
			}
			s, err := bench.RunSilence(cmd.Context(), args[1], prompts, set, slog.New(slog.DiscardHandler))
			if err != nil {
				return err
			}
			if asJSON {
				return cli.PrintJSON(cmd.OutOrStdout(), s)
			}
			return s.Write(cmd.OutOrStdout())
		},
	}
	setFlag(cmd, &set)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}
