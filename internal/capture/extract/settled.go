package extract

import (
	"slices"
	"strings"

	"recollect/internal/capture/dialogue"
	"recollect/internal/capture/extract/statements"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
	"recollect/internal/text/sentence"
)

// maxSettling is the length of a prompt, in bytes, that may settle something in
// answer to Claude. A longer one describes a task.
const maxSettling = 2000

// withSettled adds to decisions of the user's in this turn what they settled of
// what Claude had asked and proposed, as far as it is not one of them.
func (s *Turn) withSettled(stated []memory.Draft) []memory.Draft {
	out := stated
	for _, p := range s.settled() {
		if slices.ContainsFunc(stated, func(m memory.Draft) bool {
			return strings.Contains(p.Evidence, m.Evidence) || strings.Contains(m.Evidence, p.Evidence)
		}) {
			continue
		}
		out = append(out, s.settledDraft(p))
	}
	if len(out) > 0 {
		s.completeFirst(out)
		out[0].Supersedes = s.rejectedRecap()
	}
	return out
}

// settle returns what the prompt settles.
func (s *Turn) settle() []dialogue.Decision {
	if !s.inOwnWords() || len(s.Asked) > maxSettling {
		return nil
	}
	var all []dialogue.Decision
	if s.before == nil {
		all = dialogue.Changed(s.asked)
	} else {
		all = dialogue.ReadProposal(s.before.asked, s.before.lastReply(), len(s.before.Actions) > 0).Settled(s.asked)
	}
	wishes := wishes(s, false)
	return slices.DeleteFunc(all, func(p dialogue.Decision) bool {
		return statements.DecisionRules().ByNumber.MatchString(strings.ToLower(p.What)) || isOfOthers(p.Evidence) || slices.ContainsFunc(wishes, func(m memory.Draft) bool {
			return strings.Contains(m.Evidence, p.What) || strings.Contains(p.Evidence, m.Evidence)
		})
	})
}

// isOfOthers reports whether said is a sentence about somebody else's work, or about a change or a decision of which
// nothing says that it was made: those that were made are read as decisions.
func isOfOthers(said string) bool {
	rules, say := statements.DecisionRules(), sentence.New(said)
	bare := say.Bare
	switch _, _, announced := statements.AnnouncedIn(say); {
	case rules.Switching.MatchString(bare):
		return true
	case rules.Deciding.MatchString(bare):
		return !announced && !statements.AnnouncesDecision(bare)
	}
	if !rules.Change.MatchString(bare) {
		return false
	}
	return rules.Elsewhere.MatchString(bare) || rules.Others.MatchString(bare) || say.IsOfOthers()
}

// lastReply returns the last words of the turn, cleaned.
func (s *Turn) lastReply() string {
	for _, said := range slices.Backward(s.replies) {
		if reply := prose.Squeeze(said.Said()); reply != "" {
			return reply
		}
	}
	return ""
}

// settledDraft makes the memory of something that the user settled, with the
// question that it answers.
func (s *Turn) settledDraft(p dialogue.Decision) memory.Draft {
	what := p.What
	switch asked := strings.TrimRight(p.Asked, " ."); {
	case asked == "":
	case strings.HasSuffix(asked, "?"):
		what += memory.TitleAsked + asked + ")"
	case prose.Informative(asked) >= minTopicWords:
		what += memory.TitleTopic + asked + ")"
	}
	m := s.decisionDraft(what, p.Why, p.Not)
	m.Confidence, m.Evidence = confidenceSettled, p.Evidence
	m.Subject = []string{memory.TagDecision, strings.Join(prose.PlainWords(strings.ToLower(what)), " ")}
	return m
}

// minTopicWords is the number of words that say something which name what is settled: a heading
// such as "My opinion" names nothing.
const minTopicWords = 2

// newToAll is the share of the words of what Claude repeats that must not be in
// the user's words for it to say more than they do.
const newToAll = 0.34

// minCommonWords is the number of words that it must have in common with them.
const minCommonWords = 2

// completeFirst adds to the first decision of the turn how Claude repeated what was
// settled, if that says more.
func (s *Turn) completeFirst(decisions []memory.Draft) {
	if len(s.Replies) == 0 {
		return
	}
	restated := dialogue.Restated(prose.Squeeze(s.replies[0].Said()))
	words, known := prose.SubjectWords(strings.ToLower(restated)), map[string]bool{}
	for _, d := range slices.Concat(decisions, recaps(s)) {
		for _, w := range prose.SubjectWords(strings.ToLower(d.Title + " " + d.Body())) {
			known[w] = true
		}
	}
	fresh := 0
	for _, w := range words {
		if !known[w] {
			fresh++
		}
	}
	if float64(fresh) > newToAll*float64(len(words)) && len(words)-fresh >= minCommonWords {
		d := &decisions[0]
		d.Text = strings.TrimSpace(d.Text + "\nRestated: " + restated)
	}
}

// readRecap returns what Claude summed up in the turn, as it was settled.
func (s *Turn) readRecap() (dialogue.Recap, bool) {
	if !s.inOwnWords() {
		return dialogue.Recap{}, false
	}
	return dialogue.ReadRecap(s.replies[max(0, len(s.replies)-maxReplies):])
}

// recaps makes a memory of what Claude summed up in the turn.
func recaps(s *Turn) []memory.Draft {
	r, ok := s.recap()
	if !ok {
		return nil
	}
	m := s.Draft(memory.Journal, memory.OriginAssistant)
	what := strings.Join(r.Clauses, "; ")
	if r.About != "" {
		what = r.About + ": " + what
	}
	m.Title = what
	if len([]rune(what)) > memory.MaxTitle {
		m.Title, m.Text = prose.Clip(what, memory.MaxTitle), what
	}
	m.Tags, m.Confidence, m.Importance = []string{memory.TagRecap}, confidenceRecap, memory.High
	m.Keywords, m.Evidence = prose.Keywords(what), r.Evidence
	m.Subject = []string{memory.TagRecap, s.ID}
	if s.Asked != "" && dialogue.Denies(s.asked) {
		m.Supersedes = s.recapBefore()
	}
	return []memory.Draft{m}
}

// rejectedRecap returns the id of the recap of the turn before, if the user
// rejects it as a whole.
func (s *Turn) rejectedRecap() []string {
	if !dialogue.Rejects(s.asked) {
		return nil
	}
	return s.recapBefore()
}

// recapBefore returns the id of the recap of the turn before, nil if it had
// none.
func (s *Turn) recapBefore() []string {
	if s.before == nil {
		return nil
	}
	for _, d := range recaps(s.before) {
		if m, err := clean.Draft(d); err == nil {
			return []string{m.Memory().ID}
		}
	}
	return nil
}
