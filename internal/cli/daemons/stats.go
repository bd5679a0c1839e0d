package daemons

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/cli/app"
	"recollect/internal/config"
	"recollect/internal/memory"
)

// NewStats returns the command stats.
func NewStats(a *app.App) *cobra.Command {
	var since string
	cmd := &cobra.Command{
		Use:   "stats",
		Short: "Show what was stored, injected and used, and how long it took",
		Long: `Show for each source how many memories there are, how many were added, how many
were injected, how many of those Claude used, and how many tokens they took; and
for each hook event how many recalls there were, how many injected nothing (empty)
or failed, and how long they took in the daemon.

A memory counts as used if Claude's commands, edits or answer contain names,
numbers or words of what was injected of it that were neither in the prompt nor in the output of a tool
before. This misses much use: Claude often follows a memory without repeating it.

Times and captures are counted by day, for 90 days.`,
		Example: `  recollect stats
  recollect stats --since 7d
  recollect stats --since 2026-02-01 --json`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			from, err := parseSince(since, time.Now())
			if err != nil {
				return cli.Usage(err)
			}
			return app.Show(cmd, a, api.With((*api.Client).Stats, from), printStats)
		},
	}
	cmd.Flags().StringVar(&since, "since", "", "count from a day (2026-02-01), a time, or how long ago (7d, 12h)")
	return app.AddJSONFlag(cmd)
}

// parseSince parses a day, a time, or a duration before now; "" is the zero time.
func parseSince(text string, now time.Time) (time.Time, error) {
	if text == "" {
		return time.Time{}, nil
	}
	if t, err := time.ParseInLocation(time.DateOnly, text, time.Local); err == nil {
		return t, nil
	}
	if t, err := time.Parse(time.RFC3339, text); err == nil {
		return t, nil
	}
	var ago config.Duration
	if err := ago.UnmarshalText([]byte(text)); err == nil && ago > 0 {
		return now.Add(-time.Duration(ago)), nil
	}
	return time.Time{}, fmt.Errorf("since %q: must be a day such as 2026-02-01 or how long ago, such as 7d", text)
}

func printStats(w io.Writer, s api.Stats) error {
	if !s.Since.IsZero() {
		fmt.Fprintf(w, "since %s\n\n", s.Since.Local().Format("2006-01-02 15:04"))
	}
	if err := printSources(w, s, app.IsTerminal(w)); err != nil {
		return err
	}
	fmt.Fprintln(w)
	if err := printEvents(w, s); err != nil {
		return err
	}
	return cli.Fold(w, cli.Span{}, fmt.Sprintf("transcripts captured %d, failed %d; memories expired %d; tool call answers from the cache %d of %d",
		s.Captured, s.CaptureFailed, s.Expired, s.CacheHits, s.CacheHits+s.CacheMisses))
}

// printSources prints a line for each source and one for the total, optionally
// with bars for the number of memories.
func printSources(w io.Writer, s api.Stats, bars bool) error {
	var all api.SourceStats
	most := 0
	for _, src := range s.Sources {
		all.Memories += src.Memories
		all.Added += src.Added
		all.Injected += src.Injected
		all.Assessed += src.Assessed
		all.Used += src.Used
		all.Tokens += src.Tokens
		most = max(most, src.Memories)
	}
	t := cli.Table{Titled: true, Columns: []cli.Column{
		{Title: "source"}, {Title: "memories", Right: true}, {Title: "added", Right: true, Spare: 2}, {Title: "injected", Right: true, Spare: 5},
		{Title: "used", Right: true, Spare: 4}, {Title: "tokens", Right: true, Spare: 3}, {Spare: 1},
	}}
	length := shortBar
	if cli.Width(w) >= wide {
		length = longBar
	}
	line := func(name string, n api.SourceStats, end string) {
		t.Add(cli.Text("%s", name), cli.Text("%d", n.Memories), cli.Text("%d", n.Added), cli.Text("%d", n.Injected),
			cli.Text("%s", usedShare(n.Injections)), cli.Text("%d", n.Tokens), cli.Text("%s", end))
	}
	for _, src := range memory.Sources {
		n := s.Sources[src]
		if n == nil {
			continue // an older daemon does not know it
		}
		end := ""
		if bars {
			end = drawBar(n.Memories, most, length)
		}
		line(string(src), *n, end)
	}
	line("all", all, "")
	return t.Print(w)
}

// usedShare describes which share of the assessed memories was used.
func usedShare(t api.Injections) string {
	if t.Assessed == 0 {
		return "-"
	}
	return fmt.Sprintf("%d of %d (%.0f %%)", t.Used, t.Assessed, 100*float64(t.Used)/float64(t.Assessed))
}

// The columns of the longest bar, on a narrow and on a wide terminal.
const (
	shortBar = 12
	longBar  = 30
	wide     = 100
)

// drawBar draws a bar for n that is width columns wide if n is most. It draws
// eighths of a column, at least one unless n is 0.
func drawBar(n, most, width int) string {
	if n == 0 || most == 0 {
		return ""
	}
	eighths := max(1, n*width*8/most)
	out := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		out += string(rune('█' + 8 - rest)) // the block characters are ordered from wide to narrow
	}
	return out
}

func printEvents(w io.Writer, s api.Stats) error {
	if len(s.Events) == 0 {
		_, err := fmt.Fprintln(w, "no recalls yet")
		return err
	}
	t := cli.Table{Titled: true, Columns: []cli.Column{
		{Title: "event"}, {Title: "recalls", Right: true, Spare: 8}, {Title: "empty", Right: true, Spare: 3}, {Title: "failed", Right: true, Spare: 4},
		{Title: "injected", Right: true, Spare: 5}, {Title: "used", Right: true, Spare: 6}, {Title: "tokens", Right: true, Spare: 1},
		{Title: "p50 ms", Right: true, Spare: 2}, {Title: "p95 ms", Right: true, Spare: 7},
	}}
	for _, name := range slices.Sorted(maps.Keys(s.Events)) {
		e := s.Events[name]
		t.Add(cli.Text("%s", name), cli.Text("%d", e.Recalls), cli.Text("%d", e.Empty), cli.Text("%d", e.Failed), cli.Text("%d", e.Injected),
			cli.Text("%s", usedShare(e.Injections)), cli.Text("%d", e.Tokens), cli.Text("%.2f", e.P50), cli.Text("%.2f", e.P95))
	}
	return t.Print(w)
}
