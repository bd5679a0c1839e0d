package memories

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

// NewResume returns the command resume.
func NewResume(a *app.App) *cobra.Command {
	var asJSON bool
	var at app.Place
	cmd := &cobra.Command{
		Use:   "resume",
		Short: "Show what would be injected at the start of a new session",
		Long: `Show what would be injected at the start of a new session: where the last
session stood, open goals, preferences, patterns, facts about the project, and what
earlier sessions decided. (To end a pause, use recollect unpause.)`,
		Example: `  recollect resume
  recollect resume --dir ~/src/orders-api`,
		Args: cli.Exactly(0, "resume takes none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := at.Folder()
			if err != nil {
				return err
			}
			return a.Ask(cmd.Context(), func(ctx context.Context, c *api.Client) error {
				r, err := c.Resume(ctx, api.Session{Cwd: dir, TranscriptPath: nextTranscript()})
				if err != nil {
					return err
				}
				if asJSON {
					return cli.PrintJSON(a.Out, r)
				}
				if r.Context == "" {
					_, err = fmt.Fprintln(a.Out, "nothing is injected:", cmp.Or(r.Notice, "nothing is known of this project that a session should begin with"))
					return err
				}
				return cli.FoldLines(a.Out, r.Context)
			})
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON")
	at.AddDirFlag(cmd)
	return cmd
}

// nextTranscript returns a path like that of a new session's transcript, from which
// the daemon derives where Claude Code's own memory files are.
func nextTranscript() string {
	dir, err := app.ClaudeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "projects", "new", "new.jsonl")
}
