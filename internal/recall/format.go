package recall

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"recollect/internal/memory"
)

const (
	frameEnd = "</memory-data>"
	note     = "Notes from earlier sessions, true when written; check before relying on them."
)

func frameStart(items int) string {
	return fmt.Sprintf("<memory-data source=\"recollect\" items=\"%d\" note=\"%s\">", items, note)
}

// frame puts the entries of a recollection between its marks.
func frame(entries []string) string {
	if len(entries) == 0 {
		return ""
	}
	return frameStart(len(entries)) + "\n" + strings.Join(entries, "\n") + "\n" + frameEnd
}

// whole shows a memory with its body, indented so that no line of it can be
// taken for another entry.
func whole(m *memory.Memory, here memory.Project) string {
	var b strings.Builder
	b.WriteString(heading(m, here))
	for _, line := range strings.Split(neutral(body(m)), "\n") {
		if line = strings.TrimRight(line, " \t"); line != "" {
			b.WriteString("\n  " + line)
		}
	}
	return b.String()
}

// short shows a memory on one line, with its id to ask for the rest.
func short(m *memory.Memory, here memory.Project) string { return heading(m, here) }

// body returns what a memory says beyond its title.
func body(m *memory.Memory) string {
	text := m.Body()
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimPrefix(strings.TrimSpace(first), "Asked: ") == m.Title {
		return rest
	}
	return text
}

// heading is the line that every entry begins with: what kind of memory,
// what about, from when and where.
func heading(m *memory.Memory, here memory.Project) string {
	var facts []string
	if !m.OccurredAt.IsZero() {
		facts = append(facts, m.OccurredAt.UTC().Format(time.DateOnly))
	}
	if home := m.Home(); !home.Zero() && !home.Same(here) {
		facts = append(facts, "from project "+inline(m.Project))
	}
	if m.Agent != "" {
		facts = append(facts, "agent "+inline(m.Agent))
	}
	switch m.Origin {
	case memory.OriginTool:
		facts = append(facts, "from a tool's output")
	case memory.OriginWeb:
		facts = append(facts, "from the web")
	}
	if n := m.Occurrences(); n > 1 {
		facts = append(facts, fmt.Sprintf("seen %d times, last %s", n, m.When().UTC().Format(time.DateOnly)))
	}
	if m.Confidence > 0 && m.Confidence < 1 {
		facts = append(facts, fmt.Sprintf("confidence %.2g", m.Confidence))
	}
	if m.Importance == memory.High {
		facts = append(facts, "important")
	}
	if change := changed(m); change != "" {
		facts = append(facts, change)
	}
	facts = append(facts, inline(m.ID))
	return fmt.Sprintf("[%s] %s (%s)", m.Source.Label(), inline(m.Title), strings.Join(facts, ", "))
}

// inline makes text fit for the middle of a line.
func inline(text string) string {
	return strings.Join(strings.Fields(neutral(text)), " ")
}

// settled is how long after a turn began its own edits are taken for part of
// it rather than for later changes.
const settled = time.Hour

// changed says which file of a memory is gone or was changed since, or "".
// It looks only where the project lies on this machine.
func changed(m *memory.Memory) string {
	if m.ProjectPath == "" || len(m.Files) == 0 || m.OccurredAt.IsZero() {
		return ""
	}
	if _, err := os.Stat(m.ProjectPath); err != nil {
		return ""
	}
	for _, f := range m.Files {
		if !filepath.IsLocal(f) {
			continue
		}
		fi, err := os.Stat(filepath.Join(m.ProjectPath, f))
		switch {
		case os.IsNotExist(err):
			return inline(f) + " is gone"
		case err == nil && fi.ModTime().After(m.OccurredAt.Add(settled)):
			return inline(f) + " has changed since"
		}
	}
	return ""
}
