package extract

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/prose"
	"recollect/internal/toolcall"
)

// Bounds of what an episode says, in bytes.
const (
	maxOutcome  = 400
	maxAsked    = 240
	maxError    = 140 // of the line that names the error in what was pasted
	minAsked    = 20  // less than that adds nothing to the title
	maxEvidence = memory.MaxEvidence - len(" … ")
	longReply   = 200 // a reply of this length is worth keeping whatever was asked
)

// episodes makes the memory of a turn: what came out, what was asked as far as
// the title does not say it, what was done. There is none when nothing is
// worth keeping: the prompt is no request, or neither it nor the answer says
// anything and nothing was done.
func episodes(s *Scene) []memory.Draft {
	if !s.Typed() {
		return nil
	}
	d := toolcall.ReadActions(s.Actions, s.Paths)
	did := d.Brief()
	if !worthStoring(s.Asked, did, s.Reply) {
		return nil
	}
	m := s.Draft(memory.Episodes, memory.OriginAssistant)
	outcome := prose.Outcome(s.Reply, maxOutcome)
	m.Title = s.title(d.Commits(), outcome)
	m.Text = summary(outcome, s.askedBeyond(m.Title), did, s.Interrupted)
	m.Files, m.Keywords = d.Files(), prose.Keywords(s.Asked, s.Reply, toolcall.ErrorLines(s.Actions))
	if s.Asked != m.Title {
		m.Evidence = prose.CutMiddle(s.Asked, maxEvidence) // what is left out can be looked for
	}
	if s.ID != "" {
		m.Subject = []string{s.ID, prose.Title(s.Asked)}
	}
	return []memory.Draft{m}
}

func worthStoring(asked, did, reply string) bool {
	return did != "" || len(reply) >= longReply || !prose.Trivial(asked) && len(reply) >= len("No.") && !prose.Trivial(reply)
}

func summary(outcome, asked, did string, interrupted bool) string {
	if interrupted {
		outcome = strings.TrimSpace("interrupted by the user. " + outcome)
	}
	var lines []string
	for _, part := range []struct{ label, text string }{{"Outcome: ", outcome}, {"Asked: ", asked}, {"Did: ", did}} {
		if part.text != "" {
			lines = append(lines, part.label+part.text)
		}
	}
	return strings.Join(lines, "\n")
}

// askedBeyond returns what was asked as far as the title does not say it, with
// the line that names the error in what was pasted.
func (s *Scene) askedBeyond(title string) string {
	asked, said := "", prose.Request(s.Asked)
	for _, sentence := range said {
		sentence = beyond(title, sentence)
		if room := maxAsked - len(asked); len(sentence) >= room {
			if asked == "" {
				asked = prose.ClipWords(sentence, room)
			}
			break
		}
		asked = strings.TrimSpace(asked + " " + sentence)
	}
	if len(asked) < minAsked {
		asked = ""
	}
	if fault := toolcall.ErrorIn(s.Asked); fault != "" && !strings.HasSuffix(fault, ":") && !strings.Contains(strings.Join(said, " ")+title, fault) {
		asked = strings.TrimSpace(asked + " (" + prose.ClipWords(fault, maxError) + ")")
	}
	return asked
}

// beyond returns what a sentence says that the title does not.
func beyond(title, sentence string) string {
	if strings.Contains(title, strings.TrimRight(sentence, ".!?")) {
		return ""
	}
	begun := strings.TrimSuffix(title, "…")
	if at := strings.LastIndex(begun, sentence[:min(len(sentence), minAsked)]); at >= 0 && begun != title {
		if rest, ok := strings.CutPrefix(sentence, begun[at:]); ok && len(rest) >= minAsked {
			return "…" + rest
		} else if ok {
			return ""
		}
	}
	return sentence
}
