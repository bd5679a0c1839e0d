package block

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"recollect/internal/memory"
)

// Whole shows a memory with its body. reader is the project of whoever reads it.
// The facts are added to those that Heading has itself.
func Whole(m *memory.Memory, reader memory.Project, facts ...string) string {
	if whole, rest, ok := uncut(m); ok {
		titled := *m
		titled.Title = whole
		return Heading(&titled, reader, facts...) + Indented(rest)
	}
	return Heading(m, reader, facts...) + Indented(Body(m))
}

// longestTitle is the length, in units, up to which a title that was cut is shown whole in its
// place rather than repeated below it.
const longestTitle = 300

// uncut returns the sentence that the title of a memory is the beginning of, and the rest of
// the body, if the body begins with that sentence.
func uncut(m *memory.Memory) (whole, rest string, ok bool) {
	start, cut := strings.CutSuffix(m.Title, "…")
	if !cut {
		return "", "", false
	}
	whole, rest, _ = strings.Cut(m.Body(), "\n")
	return whole, rest, Units(whole) <= longestTitle && strings.HasPrefix(whole, strings.TrimSpace(start))
}

// Beginning shows a memory with the first limit units of its body, on one
// line.
func Beginning(m *memory.Memory, reader memory.Project, limit int, facts ...string) string {
	entry := Heading(m, reader, facts...)
	if text := Inline(Body(m)); text != "" {
		entry += "\n  " + cutTo(text, limit)
	}
	return entry
}

// headingTokens is about what the heading of an entry costs.
const headingTokens = 25

// WholeTokens estimates what the whole form of a memory costs.
func WholeTokens(m *memory.Memory) int { return headingTokens + Tokens(Body(m)) }

// Indented sets off the lines of text by an indent, so that none can be taken
// for another entry. Each begins with a line break.
func Indented(text string) string {
	var b strings.Builder
	for _, line := range strings.Split(neutral(text), "\n") {
		if line = strings.TrimRight(line, " \t"); line != "" {
			b.WriteString("\n  " + line)
		}
	}
	return b.String()
}

// Inline returns text on one line, made neutral.
func Inline(text string) string {
	return strings.Join(strings.Fields(neutral(text)), " ")
}

// Body returns what a memory says beyond its title.
func Body(m *memory.Memory) string {
	text := m.Body()
	first, rest, _ := strings.Cut(text, "\n")
	if strings.TrimPrefix(strings.TrimSpace(first), "Asked: ") == m.Title {
		return rest
	}
	return text
}

// Heading returns the line that every entry begins with: the kind of the memory, its
// title, its date and project, further facts, and its id, by which the rest can be read.
func Heading(m *memory.Memory, reader memory.Project, facts ...string) string {
	known := append(origin(m, reader), standing(m)...)
	known = append(append(known, facts...), Inline(m.ID))
	return fmt.Sprintf("[%s] %s (%s)", label(m), Inline(withoutLead(m)), strings.Join(known, ", "))
}

// Line returns the entry of what is no memory, in a line with the label of a source.
func Line(src memory.Source, text string) string {
	return fmt.Sprintf("[%s] %s", src.Label(), Inline(text))
}

// A Statement is one thing that a memory says. Its kind is that of the memory if it is "".
type Statement struct{ Kind, Text string }

// String returns a statement as it stands behind another one of its memory.
func (s Statement) String() string {
	if s.Kind == "" {
		return "; " + Inline(s.Text)
	}
	return " [" + s.Kind + "] " + Inline(s.Text)
}

// Statements returns the line of what is said of a memory: its statements, each with its kind if that is another than
// the one before has, and its date, project and id, by which the rest can be read.
func Statements(m *memory.Memory, reader memory.Project, all ...Statement) string {
	var line strings.Builder
	last := ""
	for _, s := range all {
		kind := cmp.Or(s.Kind, label(m))
		if s.Kind = kind; kind == last {
			s.Kind = ""
		}
		last = kind
		next := s.String()
		if strings.HasSuffix(line.String(), ".") {
			next = strings.TrimPrefix(next, ";")
		}
		line.WriteString(next)
	}
	known := append(append(origin(m, reader), standing(m)...), Inline(m.ID))
	return fmt.Sprintf("%s (%s)", line.String()[1:], strings.Join(known, ", "))
}

// Says returns what the first line of an entry says, in at most limit units, without the kind of the memory before it
// and the facts behind it.
func Says(entry string, limit int) string {
	line, _, _ := strings.Cut(entry, "\n")
	if _, said, ok := strings.Cut(line, "] "); ok && strings.HasPrefix(line, "[") {
		line = said
	}
	if at := strings.LastIndex(line, " ("); at > 0 && strings.HasSuffix(line, ")") {
		line = line[:at]
	}
	return cutTo(line, limit)
}

// withoutLead returns the title of a memory without the words at its beginning that only say
// what the label says too.
func withoutLead(m *memory.Memory) string {
	switch m.Source {
	case memory.Preferences:
		return strings.TrimPrefix(strings.TrimPrefix(m.Title, memory.TitleWants), memory.TitleSaid)
	case memory.Journal:
		return strings.TrimPrefix(m.Title, memory.TitleDecided)
	}
	return m.Title
}

// SessionHeading returns the line that the entry of a session begins with: its topic,
// which is the title of m, and the date, project and id of m.
func SessionHeading(m *memory.Memory, reader memory.Project) string {
	var facts []string
	if !m.OccurredAt.IsZero() {
		facts = append(facts, m.OccurredAt.UTC().Format(time.DateOnly))
	}
	if project := m.Home(); !project.Zero() && !project.Same(reader) {
		facts = append(facts, "from project "+Name(m.Project))
	}
	return fmt.Sprintf("[session] %s (%s)", Inline(m.Title), strings.Join(append(facts, Inline(m.ID)), ", "))
}

// origin returns when, where and from whom a memory is.
func origin(m *memory.Memory, reader memory.Project) []string {
	var facts []string
	if !m.OccurredAt.IsZero() {
		facts = append(facts, m.OccurredAt.UTC().Format(time.DateOnly))
	}
	if project := m.Home(); !project.Zero() && !project.Same(reader) {
		facts = append(facts, "from project "+Name(m.Project))
	}
	if m.Agent != "" {
		facts = append(facts, "agent "+Name(m.Agent))
	}
	switch m.Origin {
	case memory.OriginTool:
		facts = append(facts, "from a tool's output")
	case memory.OriginWeb:
		facts = append(facts, "from the web")
	}
	return append(facts, team(m)...)
}

// doubtful is the confidence below which the reader should know it.
const doubtful = 0.7

// standing returns how much a memory counts, and whether it may be out of date.
func standing(m *memory.Memory) []string {
	var facts []string
	if n := m.Occurrences(); n > 1 {
		facts = append(facts, fmt.Sprintf("seen %d times, last %s", n, m.When().UTC().Format(time.DateOnly)))
	}
	if m.Confidence > 0 && m.Confidence < doubtful {
		facts = append(facts, fmt.Sprintf("confidence %.2g", m.Confidence))
	}
	if m.Importance == memory.High {
		facts = append(facts, "important")
	}
	if change := changed(m); change != "" {
		facts = append(facts, change)
	}
	return facts
}

// ownEdits is how long after a turn began the edits of a file are taken for
// its own rather than for later changes.
const ownEdits = time.Hour

// changed returns which file of a memory is gone or was changed since, or "". It checks
// only projects on this machine.
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
			return Name(f) + " is gone"
		case err == nil && m.Source != memory.Team && fi.ModTime().After(m.OccurredAt.Add(ownEdits)): // a clone is always newer
			return Name(f) + " has changed since"
		}
	}
	return ""
}
