package mcpserver

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/api/explain"
	"recollect/internal/cli/app"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
)

const (
	preview = 240 // UTF-16 units of a memory's body in the results of a search
	nearest = 3   // candidates that are listed if none is relevant enough
)

// frameEntries renders entries as a block, followed by notes. It adds notes about entries
// that did not fit.
func frameEntries(entries, notes []string) string {
	room := block.MaxUnits - 200 // the rest is for the notes added below
	for _, n := range notes {
		room -= block.Units(n) + 1
	}
	text, held, cut := block.Fit(entries, room)
	if cut {
		notes = append(notes, "The first was cut; its resource, "+memoryURI+"ID, has the rest.")
	}
	if left := len(entries) - held; left > 0 {
		notes = append(notes, fmt.Sprintf("%d more had no room: ask for fewer at a time.", left))
	}
	return strings.Join(append([]string{text}, notes...), "\n")
}

// ofOtherProject reports whether m belongs to another project than the client's.
func (t *tools) ofOtherProject(m *memory.Memory) bool {
	home := m.Home()
	return !home.Zero() && !home.Same(t.project)
}

// recalledText renders the block that would be injected with a prompt, and why. project is
// the one that the recall was restricted to, or "".
func recalledText(e api.Explanation, project string) string {
	var notes []string
	if problem := explain.Settings(e.Settings); problem != "" {
		notes = append(notes, block.Inline(problem))
	}
	for _, l := range explain.Lacks(e) {
		notes = append(notes, l.Part+": "+block.Inline(l.Why)+".")
	}
	if e.Skipped != "" {
		return strings.Join(append(notes, "Nothing was searched for: "+e.Skipped+"."), "\n")
	}
	if e.Past != "" {
		notes = append(notes, "The "+strings.TrimPrefix(block.Inline(explain.Past(e)), "the ")+".")
	}
	if e.Context == "" && e.Past != "" && len(e.Candidates) == 0 {
		return strings.Join(append(notes, "Nothing of that is known"+inProject(project)+"."), "\n")
	}
	if e.Context == "" {
		notes = append(notes, "Nothing"+inProject(project)+" is relevant enough.")
		for _, c := range e.Candidates[:min(nearest, len(e.Candidates))] {
			notes = append(notes, fmt.Sprintf("Most relevant: %s %s (%s; %s)", block.Inline(c.ID), block.Inline(c.Title), explain.Outcome(c), explain.Relevance(c)))
		}
		return strings.Join(notes, "\n")
	}
	out := e.Context
	for _, line := range append(notes, listReasons(e.Candidates)...) {
		if block.Units(out)+block.Units(line)+1 > block.MaxUnits {
			break
		}
		out += "\n" + line
	}
	return out
}

// listReasons lists why memories in the block were injected, except those in the brief of a session.
func listReasons(candidates []api.Candidate) []string {
	var out []string
	for _, c := range candidates {
		if c.Outcome != api.OutcomeInjected && c.Outcome != api.OutcomeHeading {
			continue
		}
		line := "- " + block.Inline(c.ID) + ": " + explain.Relevance(c)
		if len(c.Matched) > 0 {
			line += "; words " + block.Inline(strings.Join(c.Matched, ", "))
		}
		if c.VectorRank > 0 {
			line += fmt.Sprintf("; meaning %.2f", c.Cosine)
		}
		out = append(out, line)
	}
	if len(out) == 0 {
		return nil
	}
	return slices.Insert(out, 0, "Why:")
}

func (t *tools) foundText(in searchInput, results []api.Found) string {
	if len(results) == 0 {
		within := inProject(in.Project)
		if in.Source != "" {
			within += " among " + in.Source
		}
		return "Nothing found" + within + "."
	}
	entries := make([]string, len(results))
	for i, r := range results {
		entries[i] = block.Beginning(&r.Memory, t.project, preview, fmt.Sprintf("relevance %.2f", r.Relevance))
	}
	return frameEntries(entries, nil)
}

// inProject returns in words that only one project was searched, "" for all projects.
func inProject(project string) string {
	if project == "" {
		return ""
	}
	return fmt.Sprintf(" in project '%s'", project)
}

// wholeText renders a memory with everything that is known about it.
func (t *tools) wholeText(m api.Shown) string {
	var b strings.Builder
	b.WriteString(block.Whole(&m.Memory, t.project))
	for _, d := range m.Decisions {
		b.WriteString(block.Indented("Decided: " + d))
	}
	for _, fact := range factsOf(m) {
		if fact[1] != "" {
			b.WriteString("\n  - " + fact[0] + ": " + block.Inline(fact[1]))
		}
	}
	return b.String()
}

// factsOf returns the origin of a memory and its relations to others, as names and values.
func factsOf(m api.Shown) [][2]string {
	day := func(t time.Time) string {
		if t.IsZero() {
			return ""
		}
		return t.UTC().Format(time.DateOnly)
	}
	confidence := ""
	if m.Confidence > 0 {
		confidence = fmt.Sprintf("%.2f", m.Confidence)
	}
	return [][2]string{
		{"evidence", m.Evidence},
		{"story", strings.Join(explain.Story(m), "; ")},
		{"origin", m.Origin},
		{"happened", day(m.OccurredAt)},
		{"recorded", day(m.RecordedAt)},
		{"seen", app.SeenText(m.Memory)},
		{"importance", m.Importance},
		{"confidence", confidence},
		{"files", strings.Join(m.Files, ", ")},
		{"tags", strings.Join(m.Tags, ", ")},
		{"applies to", strings.TrimSuffix(m.AppliesTo, ":")},
		{"project", strings.TrimSpace(m.Project + " " + m.ProjectPath)},
		{"session", m.Session},
		{"agent", m.Agent},
		{"client", m.Client},
		{"supersedes", strings.Join(m.Supersedes, ", ")},
		{"superseded by", m.SupersededBy},
	}
}
