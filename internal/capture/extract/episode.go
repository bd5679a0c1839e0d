package extract

import (
	"slices"
	"strings"

	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/text/activity"
	"recollect/internal/text/prose"
	"recollect/internal/text/sentence"
)

// Bounds of what an episode says, in bytes.
const (
	maxOutcome  = 480
	maxAsked    = 240
	maxError    = 140 // of the line that names the error in what was pasted
	minAsked    = 20  // less than that adds nothing to the title
	maxEvidence = memory.MaxEvidence - len(" … ")
	maxOrder    = 7   // informative words of an order: a longer one says more than what to do
	longReply   = 200 // a reply of this length is worth keeping whatever was asked
)

// episodes makes the memory of a turn: what came out, what was asked as far as
// the title does not say it, what was done. There is none when nothing is
// worth keeping: see worthStoring.
func episodes(s *Turn) []memory.Draft {
	if !s.Typed() {
		return nil
	}
	turn := *s
	if turn.Asked = cutRepetition(s.Asked); turn.Asked != s.Asked {
		turn.asked = sentence.Read(turn.Asked)
	}
	s = &turn
	d := toolcall.ReadActions(s.Actions, s.Paths)
	outcome := prose.Outcome(s.Reply, s.asked.Topic(), maxOutcome)
	if !s.worthStoring(&d, outcome) {
		return nil
	}
	m := s.Draft(memory.Episodes, memory.OriginAssistant)
	m.Title = s.titleOf(d.Commits(), outcome)
	m.Text = summaryOf(s.brokenBy(&d, outcome), s.askedBeyond(m.Title), d.Brief())
	m.Files, m.Keywords = d.Files(), prose.Keywords(s.Asked, s.Reply, toolcall.ErrorLines(s.Actions))
	if s.Asked != m.Title {
		m.Evidence = prose.CutMiddle(s.Asked, maxEvidence) // what is left out can be looked for
	}
	if s.ID != "" {
		m.Subject = []string{s.ID, prose.Title(s.Asked)}
	}
	m.Statements = s.stated(&d)
	isAnswer := strings.Contains(m.Title, memory.TitleAsked)
	if !isAnswer && !prose.SaysAnything(outcome) {
		m.MarkUnlessStated()
	}
	return []memory.Draft{m}
}

// mostTyped is how many statements of the user's own an episode has at most.
const mostTyped = 3

// stated returns what a turn states: what its reply says, what was committed, and how things are in the user's words.
func (s *Turn) stated(d *toolcall.Actions) []string {
	out := prose.Stated(s.Reply)
	if cause := s.Cause(); cause != "" {
		prose.AddOnce(&out, prose.ClipClause(cause, prose.MaxStated))
	}
	for _, subject := range d.Commits() {
		prose.AddOnce(&out, prose.ClipClause("Committed: "+subject, prose.MaxStated))
	}
	typed := 0
	for _, say := range s.statements {
		if typed < mostTyped && prose.StatedByUser(say.Text) {
			prose.AddOnce(&out, prose.ClipClause(prose.ItemWords(say.Text), prose.MaxStated))
			typed++
		}
	}
	return out
}

// worthStoring reports whether a turn tells what git does not know. It does not
// if nothing was done and all of the answer is in a tag for a program; if the user
// stopped Claude before anything came out; if a sub-agent only looked at the web;
// if a short order was obeyed without a word more, or only a reading tool tried
// out; if only a commit was asked for and made; or if neither prompt nor answer
// says anything.
func (s *Turn) worthStoring(d *toolcall.Actions, outcome string) bool {
	did := d.Brief()
	switch {
	case did == "" && prose.Squeeze(prose.WithoutTags(s.Reply)) == "":
		return false
	case s.Interrupted && outcome == "" && !d.Changed():
		return false
	case s.Sidechain && did != "" && d.OnlySearched():
		return false
	case s.obeysInstruction(d, outcome), d.OnlyRead() && prose.Exercise(s.Asked):
		return false
	case d.OnlyCommitted() && len(s.Reply) < longReply && s.asksOnlyToCommit():
		return false
	case did != "", len(s.Reply) >= longReply:
		return true
	}
	return !prose.Trivial(s.Asked) && !prose.Trivial(s.Reply)
}

// asksOnlyToCommit reports whether the prompt asks for a commit and says little else.
func (s *Turn) asksOnlyToCommit() bool {
	return prose.Informative(s.asked.Topic()) < minTitled && slices.Contains(activity.Asked(s.Asked), "commit")
}

// obeysInstruction reports whether the turn obeyed a short order to change something, without a reason, of which
// the answer says nothing but that it was done.
func (s *Turn) obeysInstruction(d *toolcall.Actions, outcome string) bool {
	switch {
	case !d.Changed(), s.Reply == "", s.Interrupted, len(s.Reply) > longReply, prose.Informative(s.Asked) > maxOrder, prose.FindReason(s.Asked) != nil:
		return false
	}
	known := strings.ToLower(strings.Join(slices.Concat([]string{s.Asked, "done", "commit"}, d.Commits(), d.Edited), " "))
	return !prose.SaysMore(outcome, known)
}

// brokenBy returns the outcome of a turn with that the user stopped it, first if
// nothing was finished by then.
func (s *Turn) brokenBy(d *toolcall.Actions, outcome string) string {
	switch {
	case !s.Interrupted:
		return outcome
	case len(d.Commits()) > 0:
		return strings.TrimSpace(outcome + "\nInterrupted by the user after the commit.")
	}
	return strings.TrimSpace("interrupted by the user. " + outcome)
}

func summaryOf(outcome, asked, did string) string {
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
func (s *Turn) askedBeyond(title string) string {
	asked, said := "", s.asked.Request()
	for _, sentence := range said {
		sentence = cutBeyond(title, sentence)
		if room := maxAsked - len(asked); len(sentence) >= room {
			if asked == "" {
				asked = prose.ClipClause(sentence, room)
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

// cutBeyond returns what a sentence says that the title does not.
func cutBeyond(title, sentence string) string {
	if strings.Contains(title, strings.TrimRight(sentence, ".!?")) {
		return ""
	}
	begun := strings.TrimSuffix(title, "…")
	if at := strings.LastIndex(begun, sentence[:min(len(sentence), minAsked)]); at >= 0 {
		if rest, ok := strings.CutPrefix(sentence, begun[at:]); ok && len(rest) >= minAsked {
			return "…" + rest
		} else if ok {
			return ""
		}
	}
	return sentence
}
