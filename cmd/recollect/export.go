package main

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/memory"
	"recollect/internal/memory/markdown"
)

func newExport(a *app) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Print all memories",
		Long: `Print all memories as JSON Lines, the format of the logs, or as Markdown with
front matter. "recollect import" reads both without loss.`,
		Example: `  recollect export --format markdown > memories.md
  recollect export | jq -r 'select(.source == "journal").title'`,
		Args: cli.Exactly(0, "export takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			write := map[string]func(memory.Memory) error{
				"jsonl":    func(m memory.Memory) error { return cli.PrintLine(a.out, m) },
				"markdown": func(m memory.Memory) error { return markdown.Write(a.out, m) },
			}[format]
			if write == nil {
				return cli.Usage(fmt.Errorf("format %q: must be jsonl or markdown", format))
			}
			return a.export(cmd.Context(), write)
		},
	}
	cmd.Flags().StringVar(&format, "format", "jsonl", "jsonl or markdown")
	cmd.RegisterFlagCompletionFunc("format", oneOf("jsonl", "markdown"))
	return cmd
}

// export calls write with every memory. It reads them a page at a time.
func (a *app) export(ctx context.Context, write func(memory.Memory) error) error {
	for after := ""; ; {
		var out api.Export
		err := a.ask(ctx, func(ctx context.Context, c *api.Client) (err error) {
			out, err = c.Export(ctx, after)
			return err
		})
		if err != nil {
			return err
		}
		for _, m := range out.Memories {
			if err := write(m); err != nil {
				return fmt.Errorf("write export: %w", err)
			}
		}
		if after = out.Next; after == "" {
			return nil
		}
	}
}
