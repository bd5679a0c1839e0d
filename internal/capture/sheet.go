package capture

import (
	"strings"

	"recollect/internal/memory"
)

// Bounds of what a model reads of a turn, in bytes.
const (
	maxSheetAsked   = 1600
	maxSheetThought = 2400
	maxSheetReply   = 2400
	maxSheetError   = 500
	maxSheetErrors  = 4
)

// A sheet is a turn as a model reads it: what was asked, thought, done and
// answered. What a tool or the web put out is not among it, but for errors.
type sheet struct {
	scene      *scene
	utterances []utterance
	text       string
	known      []memory.Memory // what the rules made of the turn
}

// An utterance is what one of those said who take part in a turn.
type utterance struct {
	label  string
	origin string
	text   string
}

func newSheet(s *scene) sheet {
	out := sheet{scene: s, known: s.extract()}
	out.add("User", memory.OriginUser, cutMiddle(s.asked, maxSheetAsked))
	out.add("Reasoning", memory.OriginAssistant, cutMiddle(cleanJoin(s.Thinking), maxSheetThought))
	did := readDeeds(s.Actions, s.project)
	out.add("Did", memory.OriginAssistant, did.String()) // commands and commits are Claude's words
	failed := 0
	for _, a := range s.Actions {
		if a.Failed && !web(a.Tool) && failed < maxSheetErrors {
			failed++
			out.add("Error of "+a.Tool, memory.OriginTool, cutMiddle(squeeze(Clean(a.Output)), maxSheetError))
		}
	}
	out.add("Claude", memory.OriginAssistant, cutMiddle(cleanJoin(s.Replies), maxSheetReply))
	return out
}

// add appends a passage, without the marks of bold text: a model copies words
// without them.
func (s *sheet) add(label, origin, text string) {
	if text = strings.ReplaceAll(text, "**", ""); text == "" {
		return
	}
	s.utterances = append(s.utterances, utterance{label, origin, text})
	s.text += label + ": " + text + "\n"
}

func cleanJoin(parts []string) string {
	clean := make([]string, len(parts))
	for i, part := range parts {
		clean[i] = Clean(part)
	}
	return squeeze(strings.Join(clean, "\n"))
}

// origin tells who said words, "" if nobody did. The user comes first, whom
// Claude may repeat.
func (s *sheet) origin(words string) string {
	for _, origin := range []string{memory.OriginUser, memory.OriginAssistant, memory.OriginTool} {
		for _, p := range s.utterances {
			if p.origin == origin && strings.Contains(folded(p.text), words) {
				return origin
			}
		}
	}
	return ""
}
