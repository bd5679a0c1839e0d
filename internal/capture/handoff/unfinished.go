package handoff

import (
	"cmp"
	"slices"
	"strings"

	"recollect/internal/capture/extract"
	"recollect/internal/capture/toolcall"
	"recollect/internal/text/prose"
	"recollect/internal/text/sentence"
)

// unfinished says what a turn did not bring to its end: what was asked for, where the reply is missing
// or ends with what Claude is about to do, and a problem that nothing shows to be solved. It is "" if
// the turn came to its end.
func (w *Session) unfinished(s *extract.Turn, p prompt, changed bool) string {
	if saysWhat(p) {
		w.ask = p.title()
	}
	if s.Interrupted || w.wrapsUp(p) {
		return ""
	}
	last := lastReply(s.Said())
	switch {
	case last == "" || announcesAct(lastSentence(last)):
		return w.nameLast(p, "not finished: ", last)
	case w.question != "" || w.saysWhatIsLeft() || w.isShown():
		return ""
	case reportsProblem(p) && (changed || !strings.HasSuffix(p.own, "?")):
		return w.nameLast(p, "not confirmed: ", "")
	}
	return ""
}

// wrapsUp reports whether a prompt only has the work committed, or says itself that it is done.
func (w *Session) wrapsUp(p prompt) bool {
	isShort := len(strings.Fields(p.own)) <= maxWrapUp
	isDone := rules().Done.MatchString(p.low) && !rules().Problem.MatchString(p.low)
	return isShort && (isDone || rules().WrapUp.MatchString(p.low))
}

// maxWrapUp is how many words a prompt has at most that only ends a piece of work.
const maxWrapUp = 12

// saysWhatIsLeft reports whether the turn itself said what is open or next.
func (w *Session) saysWhatIsLeft() bool {
	return slices.ContainsFunc(slices.Concat(w.open, w.next, w.postponed), func(l line) bool { return l.turn == w.turns })
}

// isShown reports whether a commit, or a command that passed after the last edit, shows that the turn solved
// what it was about.
func (w *Session) isShown() bool {
	return w.work.committed == w.turns || w.work.passedIn(w.turns)
}

// reportsProblem reports whether a prompt says that something goes wrong, or shows an error.
func reportsProblem(p prompt) bool {
	switch {
	case toolcall.ErrorIn(p.Said()) != "":
		return true
	case !rules().Problem.MatchString(p.low):
		return false
	}
	return !rules().Request.MatchString(p.low) || rules().Repair.MatchString(p.low)
}

// nameLast names what was asked for last behind a label. Where the turn's own prompt only says to go on,
// what Claude was about to do follows.
func (w *Session) nameLast(p prompt, label, reply string) string {
	name := cmp.Or(w.ask, w.now.title)
	if act := lastSentence(reply); !saysWhat(p) && !isWeak(act) {
		name = strings.TrimPrefix(name+": "+strings.TrimRight(act, ":"), ": ")
	}
	if fault := strings.TrimRight(toolcall.ErrorIn(p.Said()), ":"); fault != "" && !strings.Contains(name, fault) {
		name = strings.TrimSpace(name + " (" + prose.ClipWords(fault, maxTitle) + ")")
	}
	if name == "" {
		return ""
	}
	return prose.Clip(label+name, maxItem)
}

// minSaid is how many words that say something a prompt has that names what is wanted, though it
// neither asks for something to be done nor reports a problem.
const minSaid = 5

// saysWhat reports whether a prompt says by itself what is wanted.
func saysWhat(p prompt) bool {
	if rules().Onward.MatchString(p.low) || len(p.Statements()) == 0 {
		return false // it goes on, or is only pasted
	}
	words := len(keyWords(p.title()))
	if words < minSaid && words <= 1 {
		return false
	}
	return words >= minSaid || rules().Request.MatchString(p.low) || reportsProblem(p)
}

// lastReply is what Claude said last in a turn, without code, "" if it said nothing.
func lastReply(replies []*sentence.Text) string {
	if len(replies) == 0 {
		return ""
	}
	reply := prose.WholeLines(replies[len(replies)-1].Said(), maxRead)
	if strings.Trim(reply, "` \n") == "" {
		return ""
	}
	return reply
}

// lastSentence is the last sentence of a reply that is no code and no list, "" if it ends with one.
func lastSentence(reply string) string {
	paragraphs := prose.Paragraphs(prose.Flatten(reply))
	if len(paragraphs) == 0 {
		return ""
	}
	lines := paragraphs[len(paragraphs)-1]
	if prose.IsListed(lines[len(lines)-1]) {
		return ""
	}
	return prose.LastSentence(prose.Unmark(lines[len(lines)-1]))
}

// announcesAct reports whether a sentence says what Claude is about to do.
func announcesAct(sentence string) bool {
	low := strings.ToLower(sentence)
	return rules().About.MatchString(low) && !rules().LeftToUser.MatchString(low)
}
