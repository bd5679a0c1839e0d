package extract

import (
	"strings"

	"recollect/internal/capture/extract/statements"
	"recollect/internal/memory"
	"recollect/internal/text/activity"
	"recollect/internal/text/consolidate"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
	"recollect/internal/text/sentence"
)

const (
	maxWishes   = 4   // of one turn
	shortPrompt = 600 // bytes that a human typed; a longer prompt describes a task, and what it asks for is for that task
)

// aWithdrawal is what a sentence is that says that a rule no longer holds.
var aWithdrawal = &statements.Wish{Rule: rule.Rule{Name: "withdrawal"}, Confidence: statements.ByWishSigns.Confidence, Frame: memory.TitleSaid}

// thisProject is what a preference applies to that does not say it is for all of them.
const thisProject = "project:"

// preferences makes memories of the standing wishes and corrections in what
// the user typed. What Claude asks of a sub-agent, or a tool says, is none.
func preferences(s *Turn) []memory.Draft {
	if s.Memo {
		return memos(s)
	}
	return wishes(s, isAcknowledged(s) && len(s.settled()) == 0)
}

// wishes are the preferences in a turn. acknowledged says that it has no task, so that what only
// has some signs of a wish is one too.
func wishes(s *Turn, acknowledged bool) []memory.Draft {
	var out []memory.Draft
	for i := 0; i < len(s.statements) && len(out) < maxWishes; i++ {
		if n := len(out); n > 0 && statements.ContinuesWish(s.statements[i]) {
			appendStatement(&out[n-1], s.statements[i])
			continue
		}
		if s.decisions[i].What != "" {
			continue
		}
		if listed := s.listedRules(i); len(listed) > 0 {
			for _, say := range listed[:min(len(listed), maxWishes-len(out))] {
				out = replaceSame(out, s.draftOfWish(aListedRule, say))
			}
			i += len(listed)
			continue
		}
		say, w, ok := statements.WishOf(s.statements[i], s.short)
		if i+1 < len(s.statements) {
			if both, form, joined := statements.JoinedWish(s.statements[i], s.statements[i+1], s.short); joined {
				say, w, ok = both, form, true
				i++
			}
		}
		isShortWish := s.short && acknowledged
		if !ok && isShortWish && statements.HasWishSigns(say, true) {
			w, ok = statements.ByWishSigns, true
		}
		if !ok && consolidate.IsWithdrawal(say.Text) {
			w, ok = aWithdrawal, true
		}
		if ok {
			out = replaceSame(out, s.draftOfWish(w, say))
		}
	}
	if !s.inOwnWords() {
		return out
	}
	for _, long := range s.asked.Long() {
		if say, w, ok := statements.WishOf(long, s.short); ok && len(out) < maxWishes {
			out = replaceSame(out, s.draftOfWish(w, say))
		}
	}
	return out
}

// memos are what the user had an older client remember: on purpose, so in whatever words.
func memos(s *Turn) []memory.Draft {
	var out []memory.Draft
	for _, say := range s.statements {
		w, ok := statements.WishIn(say, true)
		if !ok {
			w = statements.AReminder
		}
		if len(out) < maxWishes {
			out = replaceSame(out, s.draftOfWish(w, say))
		}
	}
	return out
}

// draftOfWish makes the memory of a wish.
func (s *Turn) draftOfWish(w *statements.Wish, say sentence.Sentence) memory.Draft {
	m := s.Draft(memory.Preferences, memory.OriginUser)
	statement := strings.TrimRight(statements.PreferenceRules().Repeated.ReplaceAllString(say.Text, ""), " .!?")
	setTitle(&m, string(w.Frame)+statement)
	m.Confidence, m.Importance = w.Confidence, memory.High
	m.Keywords, m.Evidence = prose.Keywords(statement), say.Text
	SetScope(&m, say.Bare)
	m.Subject = []string{m.AppliesTo, strings.Join(prose.PlainWords(statements.PreferenceRules().Repeated.ReplaceAllString(say.Bare, "")), " ")}
	completeWish(&m, s, say)
	return m
}

// setTitle gives a memory a title, and the whole of it as its text where it is too long.
func setTitle(m *memory.Draft, title string) {
	m.Title, m.Text = title, ""
	if len([]rune(title)) > memory.MaxTitle {
		m.Title, m.Text = prose.Clip(title, memory.MaxTitle), title
	}
}

// appendStatement adds to a wish a sentence that repeats it.
func appendStatement(m *memory.Draft, say sentence.Sentence) {
	whole := m.Title
	if m.Text != "" {
		whole = m.Text
	}
	setTitle(m, whole+". "+strings.TrimRight(say.Text, " .!?"))
}

// isGlobal reports whether a wish is for all projects: it says so, or it is
// about how to talk.
func isGlobal(bare string) bool {
	return statements.PreferenceRules().ToAll.MatchString(bare) || statements.PreferenceRules().ToTalk.MatchString(bare) && !statements.PreferenceRules().ToProject.MatchString(bare)
}

// SetScope sets whether a preference is for all projects, as the words in which
// it was stated show, or for the one in which it was stated. Those words are in
// lower case.
func SetScope(m *memory.Draft, bare string) {
	m.AppliesTo = thisProject
	if isGlobal(bare) {
		m.AppliesTo = memory.Global
		m.SetHome(memory.Project{})
	}
}

// completeWish gives a wish that does not name its subject what it answers, and one about the work
// at hand the activity of what was run.
func completeWish(m *memory.Draft, s *Turn, say sentence.Sentence) {
	if say.Length() <= briefAnswer && s.before != nil {
		if question := lastQuestion(s.before.Reply); question != "" {
			setTitle(m, m.Title+" (asked: "+question+")")
		}
	}
	if len(activity.Of(&m.Memory)) > 0 || !statements.WishRules().Handling.MatchString(say.Bare) {
		return
	}
	for _, turn := range []*Turn{s.before, s} {
		if done := doneIn(turn); len(done) > 0 {
			m.Tags = append(m.Tags, activity.TagPrefix+done[0])
			return
		}
	}
}

// briefAnswer is how many words a wish has that only answers a question.
const briefAnswer = 2

// lastQuestion returns the question with which a reply ends, or "".
func lastQuestion(reply string) string {
	if last := prose.LastSentence(reply); strings.HasSuffix(last, "?") {
		return prose.Clip(last, memory.MaxTitle/2)
	}
	return ""
}

// doneIn returns the activities of the last command of a turn that has any.
func doneIn(s *Turn) []string {
	if s == nil {
		return nil
	}
	for i := len(s.Actions) - 1; i >= 0; i-- {
		if done := activity.OfCommand(s.Actions[i].Command); len(done) > 0 {
			return done
		}
	}
	return nil
}

// maxAcknowledging is how many words a reply has that only acknowledges what was said.
const maxAcknowledging = 14

// isAcknowledged reports whether s is a turn in which Claude did nothing but say that it understood: its
// prompt asked for no work. Whatever that prompt wants is for later, unless it answers a question.
func isAcknowledged(s *Turn) bool {
	if s.before != nil && strings.Contains(s.before.Reply, "?") {
		return false
	}
	if len(s.Actions) > 0 || strings.Contains(s.Reply, "?") {
		return false
	}
	n := statements.CountWords(s.Reply)
	return n > 0 && n <= maxAcknowledging
}
