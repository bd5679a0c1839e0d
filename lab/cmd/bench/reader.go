package main

import (
	"log/slog"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
	"recollect/lab/bench"
)

// newReader returns the command that measures what a perfect reader would make of what it is offered.
func newReader() *cobra.Command {
	var set []string
	cmd := &cobra.Command{
		Use:   "reader CHATS LABELS",
		Short: "Measure what a perfect reader would choose and confirm",
		Long: `Replay the projects of CHATS, prompt by prompt. For each prompt that
LABELS/labels.jsonl says needs something of earlier sessions, check whether it
is among the statements that a reader is offered: a perfect one then chooses it,
and says nothing for other prompts. At the end, check what it would confirm of the
candidates, by LABELS/rules.jsonl and LABELS/decisions.jsonl.`,
		Example: `  recollect-bench reader /tmp/h/chats ../shared/histories/labels`,
		Args:    cli.Exactly(2, "bench reader needs the folders of the chats and of the labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, err := bench.RunReader(cmd.Context(), args[0], args[1], set, slog.New(slog.DiscardHandler))
			if err != nil {
				return err
			}
			return b.Write(cmd.OutOrStdout())
		},
	}
	setFlag(cmd, &set)
	return cmd
}
