package memories

import (
	"context"
	"fmt"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
	"recollect/internal/memory/markdown"
)

// NewExport returns the command export.
func NewExport(a *app.App) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "export",
		Short: "Print all memories",
		Long: `Print all memories as JSON Lines, the format of the logs, or as Markdown with
front matter. "recollect import" reads both without loss.`,
		Example: `  recollect export --format markdown > memories.md
  recollect export | jq -r 'select(.source == "journal").title'`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			write := map[string]func(memory.Memory) error{
				"jsonl":    func(m memory.Memory) error { return cli.PrintLine(a.Out, m) },
				"markdown": func(m memory.Memory) error { return markdown.Write(a.Out, m) },
			}[format]
			if write == nil {
				return cli.Usage(fmt.Errorf("format %q: must be jsonl or markdown", format))
			}
			return exportMemories(cmd.Context(), a, write)
		},
	}
	cmd.Flags().StringVar(&format, "format", "jsonl", "jsonl or markdown")
	cmd.RegisterFlagCompletionFunc("format", app.CompleteOneOf("jsonl", "markdown"))
	return cmd
}

// exportMemories reads all memories, page by page, and calls write with each.
func exportMemories(ctx context.Context, a *app.App, write func(memory.Memory) error) error {
	for after := ""; ; {
		out, err := app.Get(ctx, a, api.With((*api.Client).Export, after))
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
