package memories

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/api/explain"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

// NewShowAny returns the command show.
func NewShowAny(a *app.App) *cobra.Command { return NewShow(a, "") }

// NewShow returns the command that shows a memory of a source, or of any for "".
func NewShow(a *app.App, src memory.Source) *cobra.Command {
	return app.AddJSONFlag(&cobra.Command{
		Use:   "show ID",
		Short: "Show a memory in full",
		Long: `Show a memory in full. The beginning of an id is enough, if no other id has the
same.`,
		Example: `  recollect show dec-5f0c1a2b3c4d
  recollect show dec-5f0c`,
		Args:              cli.Exactly(1, "show needs one id"),
		ValidArgsFunction: a.CompleteIDs(src, false),
		RunE: func(cmd *cobra.Command, args []string) error {
			ask := func(ctx context.Context, c *api.Client) (api.Shown, error) {
				id, err := app.WholeID(ctx, c, args[0])
				if err != nil {
					return api.Shown{}, err
				}
				return c.Memory(ctx, id)
			}
			return app.Show(cmd, a, ask, printMemory)
		},
	})
}

func printMemory(w io.Writer, m api.Shown) error {
	if err := cli.FoldLines(w, m.Title+"\n"); err != nil {
		return err
	}
	for _, row := range [][2]string{
		{"id", m.ID},
		{"source", string(m.Source)},
		{"review", waitsText(m.Memory)},
		{"project", strings.TrimSpace(m.Project + " " + m.ProjectPath)},
		{"remote", m.ProjectRemote},
		{"happened", formatMoment(m.OccurredAt)},
		{"seen", app.SeenText(m.Memory)},
		{"recorded", formatMoment(m.RecordedAt)},
		{"origin", m.Origin},
		{"rule", m.Rule},
		{"importance", m.Importance},
		{"files", strings.Join(m.Files, ", ")},
		{"keywords", strings.Join(m.Keywords, ", ")},
		{"tags", strings.Join(m.Tags, ", ")},
		{"applies to", strings.TrimSuffix(m.AppliesTo, ":")},
		{"session", m.Session},
		{"turn", m.Turn},
		{"agent", m.Agent},
		{"client", m.Client},
		{"supersedes", strings.Join(m.Supersedes, ", ")},
		{"superseded by", m.SupersededBy},
	} {
		if row[1] != "" {
			cli.Fold(w, cli.Text("%-13s ", row[0]), block.Inline(row[1]))
		}
	}
	if m.Confidence > 0 {
		fmt.Fprintf(w, "%-13s %.2f\n", "confidence", m.Confidence)
	}
	body := "\n" + m.Body()
	if len(m.Decisions) > 0 {
		body += "\nDecided:\n- " + strings.Join(m.Decisions, "\n- ")
	}
	if len(m.Statements) > 0 {
		body += "\n\nStates:\n- " + strings.Join(m.Statements, "\n- ")
	}
	body = "\n" + strings.TrimSpace(body+"\n\nStory:\n- "+strings.Join(explain.Story(m), "\n- "))
	return cli.FoldLines(w, body)
}

// waitsText returns why m is not injected yet, "" if it may be.
func waitsText(m memory.Memory) string {
	if !m.Pending {
		return ""
	}
	if m.IsRefused() {
		return fmt.Sprintf("a candidate that was refused: %s; recollect review approve %s makes it a memory", m.Stands, m.ID)
	}
	if m.IsCandidate() {
		return fmt.Sprintf("a candidate that stands with a probability of %.2f; recollect review approve %s makes it a memory", m.Candidate, m.ID)
	}
	return "waits for your approval: recollect review approve " + m.ID
}

// formatMoment formats a time; "" if there is none.
func formatMoment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return at.Local().Format(time.DateTime)
}
