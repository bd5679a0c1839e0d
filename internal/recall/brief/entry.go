package brief

import (
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/text/prose"
)

// A Shown is a line as it is injected.
type Shown struct {
	Line
	As string // the text, perhaps cut
}

// An Entry is a session as Claude reads it: a heading with its topic, and lines below it. Each
// part is from one memory; the first is from that which gives the topic.
type Entry struct {
	Text     string
	Lines    []Shown
	Parts    []block.Part
	Memories []*memory.Memory // one a part
}

// NewEntry writes the entry of a session: head gives its topic.
func NewEntry(head *memory.Memory, reader memory.Project, lines []Shown) Entry {
	e := Entry{Lines: lines}
	e.add(head, block.SessionHeading(head, reader))
	question := ""
	for _, line := range lines {
		text := strings.Join(strings.Fields(line.As), " ")
		if asked := questionIn(text); asked != "" && asked == question {
			text = strings.Replace(text, asked, "", 1)
		} else {
			question = asked
		}
		e.add(line.Memory, block.Indented("- "+leads[line.Kind]+text))
	}
	return e
}

// add appends text of a memory.
func (e *Entry) add(m *memory.Memory, text string) {
	e.Text += text
	if i := slices.IndexFunc(e.Memories, func(other *memory.Memory) bool { return other.ID == m.ID }); i >= 0 {
		e.Parts[i].Text += text
		return
	}
	e.Parts = append(e.Parts, block.Part{Source: m.Source, Text: text})
	e.Memories = append(e.Memories, m)
}

// leads are what lines of a kind begin with.
var leads = map[string]string{Assumed: "Claude assumed: ", Cause: "Cause: ", Done: "Done: ", Open: "Open: ", Next: "Next: "}

// questionIn returns the part of a decision that says what was asked, or "". Several decisions
// often answer one question, which need not be repeated.
func questionIn(text string) string {
	_, asked, ok := strings.Cut(text, memory.TitleAsked)
	if !ok {
		return ""
	}
	if asked, _, ok = strings.Cut(asked, "?)"); !ok {
		return ""
	}
	return memory.TitleAsked + asked + "?)"
}

// turnMark is what a line of a handoff ends with, and edited what the part of it begins with that
// lists files. Whoever looks the session up wants the first, and git knows the second.
const (
	turnMark = " (turn "
	edited   = "Edited "
)

// Short returns the text of a line in at most so many bytes, without its turn and the files that
// were edited. It may be empty.
func (l *Line) Short(most int) string {
	if text := l.Bare(); !strings.HasPrefix(text, edited) {
		return prose.ClipWords(text, most)
	}
	return ""
}

// Bare returns the text of a line without its turn and the files that were edited beside other things.
func (l *Line) Bare() string {
	text := l.Text
	if at := strings.LastIndex(text, turnMark); at > 0 && strings.HasSuffix(text, ")") && l.Memory.Source == memory.Handoffs {
		text = text[:at]
	}
	text, _, _ = strings.Cut(text, "; "+edited)
	return text
}
