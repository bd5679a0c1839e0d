package finding

import (
	"strings"

	"recollect/internal/capture/extract"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
)

// Bounds of what a model reads of a turn, in bytes.
const (
	maxAsked   = 1600
	maxThought = 2400
	maxReply   = 2400
	maxError   = 500
	maxErrors  = 4
)

// An Excerpt is a turn as a model reads it: what was asked, thought, done and
// answered. What a tool or the web put out is not among it, but for errors.
type Excerpt struct {
	Turn  *extract.Turn
	Text  string         // what the model reads
	Known []memory.Draft // what the rules made of the turn

	passages []passage // the parts of the text
}

// A passage is what one participant in a turn said.
type passage struct {
	label  string
	origin string
	text   string
}

// NewExcerpt returns what a model reads of a turn.
func NewExcerpt(s *extract.Turn) Excerpt {
	out := Excerpt{Turn: s, Known: s.Drafts()}
	out.addText("User", memory.OriginUser, prose.CutMiddle(s.Asked, maxAsked))
	out.addText("Reasoning", memory.OriginAssistant, prose.CutMiddle(cleanJoin(s.Thinking), maxThought))
	did := toolcall.ReadActions(s.Actions, s.Paths)
	out.addText("Did", memory.OriginAssistant, did.String()) // commands and commits are Claude's words
	failed := 0
	for _, a := range s.Actions {
		if a.Failed && !toolcall.IsWeb(a.Tool) && failed < maxErrors {
			failed++
			out.addText("Error of "+a.Tool, memory.OriginTool, prose.CutMiddle(prose.Squeeze(clean.Text(a.Output)), maxError))
		}
	}
	out.addText("Claude", memory.OriginAssistant, prose.CutMiddle(cleanJoin(s.Replies), maxReply))
	return out
}

// addText appends a passage, without the marks of bold text: a model copies words
// without them.
func (e *Excerpt) addText(label, origin, text string) {
	if text = strings.ReplaceAll(text, "**", ""); text == "" {
		return
	}
	e.passages = append(e.passages, passage{label, origin, text})
	e.Text += label + ": " + text + "\n"
}

func cleanJoin(parts []string) string {
	cleaned := make([]string, len(parts))
	for i, part := range parts {
		cleaned[i] = clean.Text(part)
	}
	return prose.Squeeze(strings.Join(cleaned, "\n"))
}

// origin returns who said words, "" if nobody did. The user comes first, whom
// Claude may repeat.
func (e *Excerpt) origin(words string) string {
	for _, origin := range []string{memory.OriginUser, memory.OriginAssistant, memory.OriginTool} {
		for _, p := range e.passages {
			if p.origin == origin && strings.Contains(prose.Fold(p.text), words) {
				return origin
			}
		}
	}
	return ""
}
