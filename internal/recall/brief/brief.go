// Package brief puts together what a session came to: its topic, what was
// decided in order, the cause that was found, what was done, what is open and
// what comes next.
//
// A brief is a view and is not stored: the decisions are memories of their own,
// which the user may edit or forget and which later ones may supersede, and the
// rest stands in the session's handoff. So a brief is always up to date.
package brief

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
)

// A Brief is what one session came to. The zero value is that of a session of
// which nothing is known.
type Brief struct {
	Handoff   *memory.Memory    // nil if the session has none yet
	Decisions []memory.Memory   // in the order in which they were made
	Amended   string            // the later session that superseded a decision of it, or ""
	Until     map[string]string // what a decision replaced, by its id
}

// New returns the brief that the memories of one session make. Those that were
// superseded are not to be among them.
func New(ms []memory.Memory) Brief {
	var b Brief
	b.Decisions = make([]memory.Memory, 0, len(ms))
	for i := range ms {
		switch m := &ms[i]; {
		case m.Source == memory.Handoffs:
			b.Handoff = m
		case m.Source == memory.Journal && m.Agent == "":
			b.Decisions = append(b.Decisions, *m)
		}
	}
	slices.SortStableFunc(b.Decisions, func(x, y memory.Memory) int { return x.OccurredAt.Compare(y.OccurredAt) })
	return b
}

// The kinds of lines. Those other than Decided are names of fields of a handoff.
const (
	Decided = "decided"
	Assumed = "assumed"
	Cause   = "cause"
	Done    = "done"
	Open    = "open"
	Next    = "next"
)

// A Line is one point of a brief.
type Line struct {
	Kind   string
	Text   string
	Memory *memory.Memory // that it is from
}

// Lines returns all that the brief says: the decisions in their order, then
// each line of the handoff's fields.
func (b *Brief) Lines() []Line {
	var lines []Line
	for i := range b.Decisions {
		m := &b.Decisions[i]
		kind := Decided
		if slices.Contains(m.Tags, memory.TagAssumed) {
			kind = Assumed
		}
		text := Decision(m)
		if old := b.Until[m.ID]; old != "" {
			text += fmt.Sprintf(" (until %s: %s)", m.OccurredAt.UTC().Format(time.DateOnly), old)
		}
		lines = append(lines, Line{kind, text, m})
	}
	if b.Handoff == nil {
		return lines
	}
	for _, field := range []string{Cause, Done, Open, Next} {
		for text := range strings.Lines(b.Handoff.Fields[field]) {
			if text = strings.TrimSpace(text); text != "" {
				lines = append(lines, Line{field, text, b.Handoff})
			}
		}
	}
	return lines
}

// Decision returns a decision in one line: what was decided, why, and what was
// rejected.
func Decision(m *memory.Memory) string {
	text := strings.TrimPrefix(m.Title, memory.TitleDecided)
	switch whole := strings.Join(strings.Fields(m.Text), " "); {
	case whole == "":
	case slices.Contains(m.Tags, memory.TagDecision), slices.Contains(m.Tags, memory.TagRecap):
		text = whole // of which the title is the beginning
	default:
		text += ": " + whole
	}
	var more []string
	if why := m.Fields["rationale"]; why != "" {
		more = append(more, "because: "+why)
	}
	if not := m.Fields["alternatives"]; not != "" {
		more = append(more, "not: "+not)
	}
	if len(more) > 0 {
		text += " (" + strings.Join(more, "; ") + ")"
	}
	return text
}

// branchLead is what the line of a handoff begins with that names the session's branch.
const branchLead = "Branch: "

// Branch returns the branch that the session ended on, "" for the main one and where it is not known.
func (b *Brief) Branch() string {
	if b.Handoff == nil {
		return ""
	}
	for line := range strings.Lines(b.Handoff.Text) {
		if name, ok := strings.CutPrefix(line, branchLead); ok {
			return strings.TrimSpace(name)
		}
	}
	return ""
}
