package memories

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli/app"
)

// maxSessions is the most sessions that are searched for one of this project.
const maxSessions = 200

// NewHandoff returns the command handoff.
func NewHandoff(a *app.App) *cobra.Command {
	var at app.Place
	cmd := &cobra.Command{
		Use:   "handoff",
		Short: "Write the handoff of this project's newest session now",
		Long: `Write the handoff of this project's newest session: what was done, what is open,
and what comes next. recollect keeps it up to date by itself after each turn.`,
		Example: `  recollect handoff`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			folder, err := at.Folder()
			if err != nil {
				return err
			}
			sessions, err := newestSessions()
			if err != nil {
				return err
			}
			return app.Show(cmd, a, api.With((*api.Client).Handoff, api.Handoff{Cwd: folder, Transcripts: sessions}), printMemory)
		},
	}
	at.AddDirFlag(cmd)
	return app.AddJSONFlag(cmd)
}

// newestSessions lists the transcripts, the most recently written first. Inside a
// session of Claude Code, the transcript of that session comes first.
func newestSessions() ([]string, error) {
	dir, err := app.ClaudeDir()
	if err != nil {
		return nil, err
	}
	paths := app.TranscriptsIn(dir)
	own := cmp.Or(os.Getenv("CLAUDE_CODE_SESSION_ID"), "none") + ".jsonl"
	written := map[string]int64{}
	for _, path := range paths {
		if fi, err := os.Stat(path); err == nil {
			written[path] = fi.ModTime().UnixNano()
		}
	}
	slices.SortFunc(paths, func(x, y string) int {
		if a, b := filepath.Base(x) == own, filepath.Base(y) == own; a != b {
			if a {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(written[y], written[x]), strings.Compare(x, y))
	})
	return paths[:min(maxSessions, len(paths))], nil
}
