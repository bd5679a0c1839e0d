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

// FormatMebibytes formats a size with the digits that matter.
func FormatMebibytes(n int64) string {
	mib := float64(n) / (1 << 20)
	if mib < 10 {
		return fmt.Sprintf("%.1f", mib)
	}
	return fmt.Sprintf("%.0f", mib)
}

// CountKinds lists kinds of secrets with how many there are, in order.
func CountKinds(kinds map[string]int) string {
	var parts []string
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		parts = append(parts, fmt.Sprintf("%d %s", kinds[kind], kind))
	}
	return strings.Join(parts, ", ")
}

// OnlyID returns the id of the one memory that was to be stored.
func OnlyID(done api.Remembered) (string, error) {
	if len(done.IDs) != 1 {
		return "", fmt.Errorf("remember: the daemon returned %d ids, not 1", len(done.IDs))
	}
	return done.IDs[0], nil
}

// SeenText says how many turns m was taken from and when the last one was, "" if there
// was only one.
func SeenText(m memory.Memory) string {
	if m.Occurrences() == 1 {
		return ""
	}
	return fmt.Sprintf("%d times, last %s", m.Occurrences(), m.When().Local().Format(time.DateOnly))
}

// MostProject is how many columns of a terminal the name of a project takes at most.
const MostProject = 16

// IDSpan returns an id as it looks in a list.
func IDSpan(id string) cli.Span { return cli.Span{Style: cli.Name, Text: id} }

// NameSpan returns the name of a project as it looks in a list, in which no name says anything
// beside itself.
func NameSpan(name string) cli.Span {
	if name == "" {
		return cli.Span{}
	}
	return cli.Text("%s", block.Name(name))
}

// FormatDay formats the day of a time; "-" if it is not known.
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
