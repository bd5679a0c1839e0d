package main

import (
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"recollect/internal/api"
	"recollect/internal/clean"
	"recollect/internal/memory"
)

const (
	// mostText bounds what one call answers, in characters: it stays in
	// Claude's context for the rest of the session.
	mostText = 9500
	// snippet is how much of a result's body a search shows, in characters.
	snippet = 240
	// nearest is how many candidates are named when none is told.
	nearest = 3
)

// The marks around what comes from memory. They are those of a recollection,
// so that Claude knows them for data, and capture learns nothing from what
// was only looked up.
const (
	frameHead = `<memory-data source="recollect" items="%d" note="Notes from earlier sessions, true when written; check before relying on them.">`
	frameFoot = "</memory-data>"
)

// tag begins what could be taken for a tag of ours or of Claude Code: a "<"
// that is neither an arrow nor compares with a number.
var tag = regexp.MustCompile(`<(\s*[^\s=\-<0-9])`)

// data makes text that anybody may have written fit to stand on one line of
// a result: without control characters, and with tags opened up.
func data(text string) string {
	return strings.Join(strings.Fields(block(text)), " ")
}

// block is data with its lines kept.
func block(text string) string {
	return tag.ReplaceAllString(clean.Text(text), "&lt;$1")
}

// indented sets off the lines of a body, so that none can be taken for
// another entry.
func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(block(text)) {
		if line = strings.TrimRight(line, " \t\n"); line != "" {
			b.WriteString("\n  " + line)
		}
	}
	return b.String()
}

// framed joins entries within the frame and puts notes of ours behind it. An
// entry that has no room any more is cut, and those after it are counted.
func framed(entries, notes []string) string {
	room := mostText - len(frameHead) - len(frameFoot) - 200 // 200 for what is said of the cut
	for _, n := range notes {
		room -= utf8.RuneCountInString(n) + 1
	}
	var kept []string
	for i, e := range entries {
		n := utf8.RuneCountInString(e) + 1
		if n > room {
			if i == 0 {
				kept = append(kept, clip(e, max(room, 1)))
				notes = append(notes, "The first was cut; its resource, recollect://memory/ID, has the rest.")
				i++
			}
			if i < len(entries) {
				notes = append(notes, fmt.Sprintf("%d more had no room: ask for fewer at a time.", len(entries)-i))
			}
			break
		}
		room -= n
		kept = append(kept, e)
	}
	lines := append([]string{fmt.Sprintf(frameHead, len(kept))}, kept...)
	return strings.Join(append(append(lines, frameFoot), notes...), "\n")
}

// elsewhere reports whether m belongs to another project than the client's.
func (d *desk) elsewhere(m *memory.Memory) bool {
	home := m.Home()
	return !home.Zero() && !home.Same(d.here)
}

// from names the project that m comes from, where it is another one.
func (d *desk) from(m *memory.Memory) string {
	if !d.elsewhere(m) {
		return ""
	}
	return "[From project: " + data(m.Project) + "] "
}

// heading is what every entry begins with. facts stand behind the title.
func (d *desk) heading(m *memory.Memory, facts ...string) string {
	if !m.When().IsZero() {
		facts = append([]string{m.When().UTC().Format(time.DateOnly)}, facts...)
	}
	facts = append(facts, data(m.ID))
	return fmt.Sprintf("%s[%s] %s (%s)", d.from(m), m.Source.Label(), data(m.Title), strings.Join(facts, ", "))
}

// recalledText is what a prompt would be told, and why.
func recalledText(e api.Explanation) string {
	var notes []string
	if e.Index != "ready" && e.Index != "" {
		notes = append(notes, "The index is not complete yet: "+e.Index+".")
	}
	if e.Skipped != "" {
		return strings.Join(append(notes, "Nothing was looked for: "+e.Skipped+"."), "\n")
	}
	if e.Context == "" {
		notes = append(notes, "Nothing is relevant enough to be told.")
		for _, c := range e.Candidates[:min(nearest, len(e.Candidates))] {
			notes = append(notes, fmt.Sprintf("Nearest: %s %s (%s; relevance %.2f)", data(c.ID), data(c.Title), c.Outcome, c.Relevance))
		}
		return strings.Join(notes, "\n")
	}
	out := e.Context
	for _, line := range append(notes, reasons(e.Candidates)...) {
		if utf8.RuneCountInString(out)+utf8.RuneCountInString(line)+1 > mostText {
			break
		}
		out += "\n" + line
	}
	return out
}

// reasons says for each memory that is told why it is.
func reasons(candidates []api.Candidate) []string {
	out := []string{"Why:"}
	for _, c := range candidates {
		if c.Outcome != "told" && c.Outcome != "told in short" {
			continue
		}
		line := fmt.Sprintf("- %s: relevance %.2f, %.2f is asked for", data(c.ID), c.Relevance, c.Required)
		if len(c.Matched) > 0 {
			line += "; words " + data(strings.Join(c.Matched, ", "))
		}
		if c.VectorRank > 0 {
			line += fmt.Sprintf("; meaning %.2f", c.Cosine)
		}
		out = append(out, line)
	}
	return out
}

// foundText lists the results of a search.
func (d *desk) foundText(in searchInput, results []api.Found) string {
	if len(results) == 0 {
		within := ""
		if in.Project != "" {
			within = fmt.Sprintf(" in project '%s'", in.Project)
		}
		if in.Source != "" {
			within += " among " + in.Source
		}
		return "Nothing found" + within + "."
	}
	entries := make([]string, len(results))
	for i, r := range results {
		entries[i] = d.heading(&r.Memory, fmt.Sprintf("relevance %.2f", r.Relevance))
		if body := data(r.Memory.Body()); body != data(r.Memory.Title) {
			entries[i] += "\n  " + clip(body, snippet)
		}
	}
	return framed(entries, nil)
}

// wholeText shows a memory with all that is known of it.
func (d *desk) wholeText(m api.Shown) string {
	var b strings.Builder
	b.WriteString(d.heading(&m.Memory))
	b.WriteString(indented(m.Body()))
	for _, fact := range facts(m) {
		if fact[1] != "" {
			b.WriteString("\n  - " + fact[0] + ": " + data(fact[1]))
		}
	}
	return b.String()
}

// facts are where a memory came from and what it has to do with others.
func facts(m api.Shown) [][2]string {
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
		{"said by", m.Origin},
		{"happened", day(m.OccurredAt)},
		{"recorded", day(m.RecordedAt)},
		{"seen", seen(m.Memory)},
		{"importance", m.Importance},
		{"confidence", confidence},
		{"files", strings.Join(m.Files, ", ")},
		{"tags", strings.Join(m.Tags, ", ")},
		{"applies to", m.AppliesTo},
		{"project", strings.TrimSpace(m.Project + " " + m.ProjectPath)},
		{"session", m.Session},
		{"agent", m.Agent},
		{"supersedes", strings.Join(m.Supersedes, ", ")},
		{"superseded by", m.SupersededBy},
	}
}
