package main

import (
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"recollect/internal/cli"
	"recollect/lab/bench"
	"recollect/lab/embedding"
)

// newStore returns the command that makes a data folder of a given size.
func newStore() *cobra.Command {
	turns := 0
	cmd := &cobra.Command{
		Use:   "store N CORPUS DIR",
		Short: "Write a data folder with N memories of real text",
		Long: `Write the logs of a data folder with N memories: commit messages and sections of
documentation of a training corpus, as sessions in their repositories would have
left them; with --turns as if sessions of so many turns, of one project, had. The
daemon that serves it first indexes and embeds them.`,
		Example: `  recollect-bench store 1000000 ../shared/embed-corpus /tmp/million`,
		Args:    cli.Exactly(3, "bench store needs a number, the folder of a corpus, and a folder to write"),
		RunE: func(_ *cobra.Command, args []string) error {
			n, err := strconv.Atoi(args[0])
			if err != nil {
				return cli.Usage(err)
			}
			return bench.WriteStore(args[2], n, turns, func() (io.ReadCloser, error) { return embedding.Open(args[1]) })
		},
	}
	cmd.Flags().IntVar(&turns, "turns", 0, "turns of a session, 0 for sessions of 20 memories in many projects")
	return cmd
}
