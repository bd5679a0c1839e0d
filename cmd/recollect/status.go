package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/memory"
)

func newStatus(a *app) *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "status",
		Short:   "Show the state of the daemon and of the memories",
		Example: `  recollect status --json`,
		Args:    cli.Exactly(0, "status takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.ask(cmd.Context(), func(ctx context.Context, c *api.Client) error {
				h, err := c.Health(ctx)
				if err != nil {
					return err
				}
				if asJSON {
					return cli.PrintJSON(a.out, h)
				}
				return printHealth(a.out, h)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	return cmd
}

func printHealth(w io.Writer, h api.Health) error {
	fmt.Fprintf(w, "daemon    %s, version %s, pid %d, up %s\n", h.Status, h.Version, h.PID, h.Uptime)
	fmt.Fprintf(w, "folder    %s\n", h.Home)
	fmt.Fprintf(w, "index     %s, %d memories\n", h.Index, h.Indexed)
	fmt.Fprintf(w, "embedder  %s, %d memories\n", h.Embedder, h.Embedded)
	fmt.Fprintf(w, "memories  %d\n", h.Memories)
	for _, src := range memory.Sources {
		if n := h.Sources[src]; n > 0 {
			fmt.Fprintf(w, "          %d %s\n", n, src)
		}
	}
	for _, p := range h.Problems {
		fmt.Fprintf(w, "problem   %s\n", p)
	}
	return nil
}
