package daemons

import (
	"context"
	"fmt"
	"io"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
)

// NewStatus returns the command status.
func NewStatus(a *app.App) *cobra.Command {
	return app.AddJSONFlag(&cobra.Command{
		Use:   "status",
		Short: "Show the state of the daemon and of the memories",
		Long: `Show the state of the daemon, of the memories, and of the index and the vectors that
find them: how far they have come, if they are behind; how many transcripts are yet
to be read; and what is wrong.`,
		Example: `  recollect status --json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return app.Show(cmd, a, openHealth, printHealth)
		},
	})
}

// openHealth returns the daemon's health as soon as its store is open, or as it is after openIn.
func openHealth(ctx context.Context, c *api.Client) (api.Health, error) {
	return app.HealthOnce(ctx, c, openIn, func(h api.Health) bool { return !h.Opening })
}

// openIn is how long status waits for the store to open, which usually takes milliseconds.
const openIn = 2 * time.Second

func printHealth(w io.Writer, h api.Health) error {
	row := func(style cli.Style, name, format string, args ...any) {
		cli.Fold(w, cli.Span{Style: style, Text: fmt.Sprintf("%-9s ", name)}, fmt.Sprintf(format, args...))
	}
	row(cli.Heading, "daemon", "%s, version %s, pid %d, up %s", h.Status, h.Version, h.PID, h.Uptime)
	row(cli.Heading, "folder", "%s", h.Home)
	if h.Opening {
		row(cli.Doubt, "memories", "not known yet: the daemon is opening them")
		printProblemRows(w, h)
		return nil
	}
	row(cli.Heading, "index", "%s, %s", h.Index, app.CountMemories(h.Indexed))
	row(cli.Heading, "embedder", "%s, %s", h.Embedder, app.CountMemories(h.Embedded))
	row(cli.Heading, "memories", "%d", h.Memories)
	for _, src := range memory.Sources {
		if n := h.Sources[src]; n > 0 {
			row("", "", "%d %s", n, src)
		}
	}
	if h.Candidates > 0 {
		row(cli.Heading, "candidates", "%s: recollect review --candidates", cli.Count(h.Candidates, "sentence that may become a memory", "sentences that may become memories"))
	}
	if h.Pending > 0 {
		row(cli.Heading, "review", "%s for your approval: recollect review", cli.Count(h.Pending, "memory waits", "memories wait"))
	}
	if len(h.Paused) > 0 {
		if err := printPaused(w, h.Paused); err != nil {
			return err
		}
	}
	if h.Incognito > 0 {
		row(cli.Doubt, "incognito", "%s, of which nothing is learned", cli.Count(h.Incognito, "session", "sessions"))
	}
	if h.Learned != nil {
		row(cli.Heading, "learned", "%s", h.Learned.String()+learnedOfSources(h.Learned))
	}
	printPast(w, h.Past)
	if h.Waiting > 0 {
		row(cli.Doubt, "capture", "%s to be read", cli.Count(h.Waiting, "transcript is yet", "transcripts are yet"))
	}
	if h.Imports > 0 {
		row(cli.Doubt, "import", "%s being imported", cli.Count(h.Imports, "file is", "files are"))
	}
	printProblemRows(w, h)
	return nil
}

// learnedOfSources names the sources whose statements gain or lose something.
func learnedOfSources(h *api.Habits) string {
	text := ""
	for _, src := range memory.Sources {
		if adds := h.Of(src); adds != 0 {
			text += fmt.Sprintf("; %s %+.2f", src, adds)
		}
	}
	return text
}

// printPast prints the progress of the import of past sessions, unless it is done.
func printPast(w io.Writer, past *api.PastSessions) {
	switch {
	case past == nil:
	case past.State == api.PastRunning:
		fmt.Fprintf(w, "learning  from %d past sessions: %d of %d files, %d memories so far\n", past.Sessions, past.Done, past.Files, past.Added)
	case past.State == api.PastAsked:
		fmt.Fprintf(w, "past      %d past sessions are not imported: recollect import learns from them\n", past.Sessions)
	}
}

func printProblemRows(w io.Writer, h api.Health) {
	for _, p := range h.Problems {
		cli.Fold(w, cli.Span{Style: cli.Bad, Text: "problem   "}, p)
	}
}
