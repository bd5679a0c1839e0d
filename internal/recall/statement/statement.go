// Package statement divides memories into statements: what one sentence of them says, short enough that
// several cost what one memory costs. A statement is what is ranked and injected with a prompt.
package statement

import (
	"cmp"
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// A Kind is what a statement states.
type Kind string

// The kinds.
const (
	Decided Kind = "decided"
	Assumed Kind = "assumed" // by Claude, which no user confirmed
	Rule    Kind = "rule"
	Fix     Kind = "fix"
	Cause   Kind = "cause"
	Result  Kind = "result"
	Open    Kind = "open"
	Next    Kind = "next"
	Fact    Kind = "fact"
	Asked   Kind = "asked" // what a prompt said, of which nothing else is known
)

// A Statement is one thing that a memory says.
type Statement struct {
	Kind Kind
	Text string // one line of at most Longest bytes
}

// Bounds of a statement, in bytes: some 50 tokens, and what says too little alone.
const (
	Longest  = 200
	shortest = 16
)

// mostOfOne bounds the statements of one memory.
const mostOfOne = 24

// Of returns the statements of a memory, in its order.
func Of(m *memory.Memory) []Statement {
	var r reader
	switch m.Source {
	case memory.Journal:
		r.addDecision(m)
	case memory.Preferences:
		r.add(Rule, withoutLead(wholeTitle(m)))
	case memory.Handoffs:
		r.addHandoff(m)
	case memory.Episodes:
		r.addTurn(m)
	case memory.Thinking:
		r.addText(Cause, memory.WithoutTopic(m.Text))
	case memory.Failures:
		r.add(Fix, m.Title)
	case memory.Patterns:
		r.addNote(Rule, m)
	default:
		r.addNote(Fact, m)
	}
	if len(r.all) == 0 && m.Source != memory.Journal {
		r.addShort(Fact, prose.ClipWords(m.Title, Longest))
	}
	return r.all
}

// Has reports whether a memory has a statement of these words.
func Has(m *memory.Memory, text string) bool {
	return slices.ContainsFunc(Of(m), func(s Statement) bool { return s.Text == text })
}

// A reader collects statements, each once.
type reader struct{ all []Statement }

func (r *reader) add(kind Kind, text string) {
	text = prose.Fold(text)
	if len(r.all) == mostOfOne || len(text) < shortest {
		return
	}
	if len(text) > Longest {
		for _, part := range divide(text) {
			r.addShort(kind, part)
		}
		return
	}
	r.addShort(kind, text)
}

func (r *reader) addShort(kind Kind, text string) {
	said := slices.ContainsFunc(r.all, func(s Statement) bool { return strings.Contains(s.Text, text) })
	if text = strings.Trim(text, " ;,"); !said && len(r.all) < mostOfOne {
		r.all = append(r.all, Statement{kind, text})
	}
}

// addText adds each sentence of a text.
func (r *reader) addText(kind Kind, text string) {
	for _, s := range prose.Sentences(text) {
		r.add(kind, s)
	}
}

// addNote adds what a memory says that somebody wrote as a whole: in one statement if it is short.
func (r *reader) addNote(kind Kind, m *memory.Memory) {
	title, body := wholeTitle(m), m.Body()
	switch whole := prose.Fold(title + ": " + body); {
	case body == "" || strings.HasPrefix(body, title):
		r.addText(kind, cmp.Or(body, title))
	case len(whole) <= Longest:
		r.addShort(kind, whole)
	default:
		r.addText(kind, title+"\n"+body)
	}
}

// addDecision adds what was decided, unless it says nothing by itself.
func (r *reader) addDecision(m *memory.Memory) {
	kind := Decided
	if slices.Contains(m.Tags, memory.TagAssumed) {
		kind = Assumed
	}
	text := withoutLead(wholeTitle(m))
	if own, _, on := strings.Cut(text, memory.TitleTopic); on && !strings.Contains(own, " ") {
		return // "agreed"
	}
	if why := m.Fields["rationale"]; why != "" {
		text += " (because: " + why + ")"
	}
	if not := m.Fields["alternatives"]; not != "" {
		text += " (not: " + not + ")"
	}
	rest := strings.TrimPrefix(m.Text, wholeTitle(m))
	if whole := prose.Fold(text + ": " + rest); rest != "" && len(whole) <= Longest {
		r.addShort(kind, whole)
		return
	}
	r.add(kind, text)
	r.addText(kind, rest)
}

// handoffKinds are the fields of a handoff, in their order, and what they state.
var handoffKinds = []struct {
	field string
	kind  Kind
}{{"cause", Cause}, {"done", Result}, {"open", Open}, {"next", Next}}

func (r *reader) addHandoff(m *memory.Memory) {
	for _, f := range handoffKinds {
		for line := range strings.Lines(m.Fields[f.field]) {
			line = withoutTurn(strings.TrimSpace(line))
			if line, _, _ = strings.Cut(line, "; "+edited); !strings.HasPrefix(line, edited) {
				r.add(f.kind, line)
			}
		}
	}
}

// turnMark is what a line of a handoff ends with, and edited what the part of it begins with that
// lists files.
const (
	turnMark = " (turn "
	edited   = "Edited "
)

func withoutTurn(line string) string {
	if at := strings.LastIndex(line, turnMark); at > 0 && strings.HasSuffix(line, ")") {
		return line[:at]
	}
	return line
}

// What lines of an episode begin with.
const (
	outcomeLead = "Outcome: "
	askedLead   = "Asked: "
	didLead     = "Did: " // files and commands, which git knows
)

// addTurn adds what came of a turn, then what was asked in it.
func (r *reader) addTurn(m *memory.Memory) {
	for _, s := range m.Statements {
		r.add(Result, s)
	}
	asked := []string{m.Title}
	for line := range strings.Lines(m.Body()) {
		line = strings.TrimSpace(line)
		if more, ok := strings.CutPrefix(line, askedLead); ok {
			asked = append(asked, more)
			continue
		}
		if line = strings.TrimPrefix(line, outcomeLead); len(m.Statements) == 0 && !strings.HasPrefix(line, didLead) {
			r.addText(Result, line)
		}
	}
	for _, text := range asked {
		r.addText(Asked, text)
	}
}

// withoutLead returns a title without the words at its beginning that only say what its source says.
func withoutLead(title string) string {
	for _, lead := range []string{memory.TitleWants, memory.TitleSaid, memory.TitleDecided} {
		title = strings.TrimPrefix(title, lead)
	}
	return title
}

// wholeTitle returns the title of a memory, or the sentence that it is the beginning of.
func wholeTitle(m *memory.Memory) string {
	start, cut := strings.CutSuffix(m.Title, "…")
	if whole, _, _ := strings.Cut(m.Text, "\n"); cut && strings.HasPrefix(withoutLead(whole), withoutLead(strings.TrimSpace(start))) {
		return whole
	}
	return m.Title
}

// separators divide a long sentence, the best first.
var separators = []string{"; ", ": ", " – ", " - ", ", ", " "}

// divide returns the parts of a long sentence, each of at most Longest bytes.
func divide(text string) []string {
	var parts []string
	for len(text) > Longest {
		at := divisionOf(text)
		parts = append(parts, text[:at])
		text = strings.TrimSpace(text[at:])
	}
	return append(parts, text)
}

// divisionOf returns where a long text is divided.
func divisionOf(text string) int {
	head := memory.Clip(text, Longest)
	for _, sep := range separators {
		if at := strings.LastIndex(head, sep); at > Longest/3 {
			return at + len(strings.TrimRight(sep, " "))
		}
	}
	return len(head)
}
