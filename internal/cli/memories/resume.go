package memories

import (
	"cmp"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
)

// NewResume returns the command resume.
func NewResume(a *app.App) *cobra.Command {
	var at app.Place
	cmd := &cobra.Command{
		Use:   "resume",
		Short: "Show what would be injected at the start of a new session",
		Long: `Show what would be injected at the start of a new session: where the last
session stood, open goals, preferences, patterns, facts about the project, and what
earlier sessions decided. (To end a pause, use recollect unpause.)`,
		Example: `  recollect resume
  recollect resume --dir ~/src/orders-api`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			dir, err := at.Folder()
			if err != nil {
				return err
			}
			return app.Show(cmd, a, api.With((*api.Client).Resume, api.Session{Cwd: dir, TranscriptPath: nextTranscript()}), printResumed)
		},
	}
	at.AddDirFlag(cmd)
	return app.AddJSONFlag(cmd)
}

func printResumed(w io.Writer, r api.Recollection) error {
	if r.Context == "" {
		_, err := fmt.Fprintln(w, "nothing is injected:", cmp.Or(r.Notice, "nothing is known of this project that a session should begin with"))
		return err
	}
	return cli.FoldLines(w, r.Context)
}

// nextTranscript returns the path that the transcript of a new session would have. The
// daemon derives the folder of Claude Code's own memory from it.
func nextTranscript() string {
	dir, err := app.ClaudeDir()
	if err != nil {
		return ""
	}
	return filepath.Join(dir, "projects", "new", "new.jsonl")
}
