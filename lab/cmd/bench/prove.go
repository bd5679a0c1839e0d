package main

import (
	"github.com/spf13/cobra"

	"recollect/internal/cli"
	"recollect/lab/bench"
)

// newProve returns the command that compares what memories would have known in real histories.
func newProve() *cobra.Command {
	var memories []string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "prove DIR ...",
		Short: "Compare what memories would have known in histories, as recollect prove counts it",
		Long: `Replay each DIR, a folder with the transcripts of one user, with each memory, and
count what the sessions met again and what of it the memory had said in time:
"2-5 of 3-8" are the strict and the looser count of both.

A memory is none, file (every rule that the user said in an earlier session, all
at the start of each), recollect, or a command of yours. The command reads a line
of JSON for each event and answers it with {"context": "..."}, "" for nothing:

  {"event": "learn", "transcripts": ["/…/1.jsonl"]}   sessions that ended
  {"event": "start" or "compact", "session", "cwd", "transcript", "at"}
  {"event": "prompt", …, "prompt": "why does it hang?"}
  {"event": "tool", …, "tool": "Bash", "input": {"command": "make"}}

"transcript" is as long as it was then. The command runs in an empty folder.`,
		Example: `  recollect-bench prove ~/.claude/projects
  recollect-bench prove --memory none,recollect --memory "python3 mine.py" histories/*`,
		Args: cli.AtLeast(1, "bench prove needs a folder with transcripts"),
		RunE: func(cmd *cobra.Command, args []string) error {
			proofs, err := bench.RunProve(cmd.Context(), args, memories, func(why error) { cli.Warn(cmd.ErrOrStderr(), "left out: "+why.Error()) })
			if err != nil {
				return err
			}
			if asJSON {
				return cli.PrintJSON(cmd.OutOrStdout(), proofs)
			}
			return bench.WriteProofs(cmd.OutOrStdout(), proofs)
		},
	}
	cmd.Flags().StringSliceVar(&memories, "memory", []string{bench.NoMemory, bench.CuratedFile, bench.OurOwnMemory}, "memories to compare")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON, with every finding")
	return cmd
}
