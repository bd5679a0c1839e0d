package app

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

// CountMemories counts memories in words.
func CountMemories(n int) string { return cli.Count(n, "memory", "memories") }

// NameInjected says what a request injected: what the first memory says, in at most width columns, and how many
// others there are; only how many where that is not known any more.
func NameInjected(r api.Recalled, width int) string {
	if len(r.Named) == 0 {
		return CountMemories(r.Injected)
	}
	name := cli.Clip(r.Named[0].Title, width)
	if more := r.Injected - 1; more > 0 {
		name += fmt.Sprintf(" +%d", more)
	}
	return name
}

// FormatMebibytes formats a size in bytes as MiB, with few digits.
func FormatMebibytes(n int64) string {
	mib := float64(n) / (1 << 20)
	if mib < 10 {
		return fmt.Sprintf("%.1f", mib)
	}
	return fmt.Sprintf("%.0f", mib)
}

// CountKinds lists kinds of secrets with their numbers, sorted.
func CountKinds(kinds map[string]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		parts = append(parts, fmt.Sprintf("%d %s", kinds[kind], kind))
	}
	return strings.Join(parts, ", ")
}

// OnlyID returns the id of the only memory that was stored.
func OnlyID(done api.Remembered) (string, error) {
	if len(done.IDs) != 1 {
		return "", fmt.Errorf("remember: the daemon returned %d ids, not 1", len(done.IDs))
	}
	return done.IDs[0], nil
}

// SeenText says from how many turns m was taken, and when the last one was; "" for only
// one.
func SeenText(m memory.Memory) string {
	if m.Occurrences() == 1 {
		return ""
	}
	return fmt.Sprintf("%d times, last %s", m.Occurrences(), m.When().Local().Format(time.DateOnly))
}

// MostProject is the greatest width of a project's name in a list, in columns.
const MostProject = 16

// IDSpan returns an id in the style of a list.
func IDSpan(id string) cli.Span { return cli.Span{Style: cli.Name, Text: id} }

// NameSpan returns the name of a project in the style of a list, cleaned so that it cannot
// pass for other text.
func NameSpan(name string) cli.Span {
	if name == "" {
		return cli.Span{}
	}
	return cli.Text("%s", block.Name(name))
}

// FormatDay formats the day of a time; "-" if unknown.
func FormatDay(at time.Time) string {
	if at.IsZero() {
		return "-"
	}
	return at.Local().Format(time.DateOnly)
}

// FirstLine returns the first line of a text.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return line
}
