package main

import (
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
)

func newResume(a *app) *cobra.Command {
	var asJSON bool
	var dir string
	cmd := &cobra.Command{
		Use:   "resume",
		Short: "Show what would be injected at the start of a new session",
		Long: `Show what would be injected at the start of a new session: the latest
handoff, what the project is, open goals, standing preferences and patterns.`,
		Example: `  recollect resume
  recollect resume --dir ~/src/orders-api`,
		Args: cli.Exactly(0, "resume takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.ask(cmd.Context(), func(ctx context.Context, c *api.Client) error {
				r, err := c.Resume(ctx, api.Session{Cwd: dir, TranscriptPath: nextTranscript()})
				if err != nil {
					return err
				}
				if asJSON {
					return cli.PrintJSON(a.out, r)
				}
				if r.Context == "" {
					_, err = fmt.Fprintln(a.out, "nothing")
					return err
				}
				_, err = fmt.Fprintln(a.out, r.Context)
				return err
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	cmd.Flags().StringVar(&dir, "dir", here(), "folder that the session begins in")
	return cmd
}

// nextTranscript is a path like that of a new session's transcript: it says
// where Claude Code keeps what it knows.
func nextTranscript() string {
	dir, err := claudeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "projects", "new", "new.jsonl")
}
