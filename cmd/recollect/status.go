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

// memories counts memories in words.
func memories(n int) string { return cli.Count(n, "memory", "memories") }

func printHealth(w io.Writer, h api.Health) error {
	row := func(style cli.Style, name, format string, args ...any) {
		cli.Fold(w, cli.Span{Style: style, Text: fmt.Sprintf("%-9s ", name)}, fmt.Sprintf(format, args...))
	}
	row(cli.Heading, "daemon", "%s, version %s, pid %d, up %s", h.Status, h.Version, h.PID, h.Uptime)
	row(cli.Heading, "folder", "%s", h.Home)
	row(cli.Heading, "index", "%s, %s", h.Index, memories(h.Indexed))
	row(cli.Heading, "embedder", "%s, %s", h.Embedder, memories(h.Embedded))
	row(cli.Heading, "memories", "%d", h.Memories)
	for _, src := range memory.Sources {
		if n := h.Sources[src]; n > 0 {
			row("", "", "%d %s", n, src)
		}
	}
	printPast(w, h.Past)
	for _, p := range h.Problems {
		row(cli.Bad, "problem", "%s", p)
	}
	return nil
}

// printPast says how far the import of past sessions is, while there is something to say.
func printPast(w io.Writer, past *api.PastSessions) {
	switch {
	case past == nil:
	case past.State == "running":
		fmt.Fprintf(w, "learning  from %d past sessions: %d of %d files, %d memories so far\n", past.Sessions, past.Done, past.Files, past.Added)
	case past.State == "asked":
		fmt.Fprintf(w, "past      %d past sessions are not imported: recollect import learns from them\n", past.Sessions)
	}
}
