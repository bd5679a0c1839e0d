package extract

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

const (
	maxWishes   = 4   // of one turn
	shortPrompt = 600 // bytes that a human typed; a longer prompt describes a task, and what it asks for is for that task
)

// thisProject is what a preference applies to that does not say it is for all of them.
const thisProject = "project:"

// preferences makes memories of the standing wishes and corrections in what
// the user typed. What Claude asks of a sub-agent, or a tool says, is none.
func preferences(s *Turn) []memory.Draft {
	if s.Memo {
		return memos(s)
	}
	return wishes(s, acknowledges(s) && len(s.settledDecisions()) == 0)
}

// wishes are the preferences in a turn. acknowledged says that it has no task, so that what only
// has some signs of a wish is one too.
func wishes(s *Turn, acknowledged bool) []memory.Draft {
	var out []memory.Draft
	for i := 0; i < len(s.statements) && len(out) < maxWishes; i++ {
		if n := len(out); n > 0 && continuesWish(s.statements[i]) {
			appendStatement(&out[n-1], s.statements[i])
			continue
		}
		if s.decisions[i].what != "" {
			continue
		}
		if listed := s.listedRules(i); len(listed) > 0 {
			for _, say := range listed[:min(len(listed), maxWishes-len(out))] {
				out = replaceSame(out, aListedRule.toDraft(s, say))
			}
			i += len(listed)
			continue
		}
		say, w, ok := wishOf(s.statements[i], s.short)
		if i+1 < len(s.statements) {
			if both, form, joined := joinedWish(s.statements[i], s.statements[i+1], s.short); joined {
				say, w, ok = both, form, true
				i++
			}
		}
		isShortWish := s.short && acknowledged
		if !ok && isShortWish && hasWishSigns(say, true) {
			w, ok = byWishSigns, true
		}
		if ok {
			out = replaceSame(out, w.toDraft(s, say))
		}
	}
	if !s.inOwnWords() {
		return out
	}
	for _, long := range prose.LongStatements(s.Asked) {
		if say, w, ok := wishOf(long, s.short); ok && len(out) < maxWishes {
			out = replaceSame(out, w.toDraft(s, say))
		}
	}
	return out
}

// memos are what the user had an older client remember: on purpose, so in whatever words.
func memos(s *Turn) []memory.Draft {
	var out []memory.Draft
	for _, say := range s.statements {
		w, ok := wishIn(say, true)
		if !ok {
			w = aReminder
		}
		if len(out) < maxWishes {
			out = replaceSame(out, w.toDraft(s, say))
		}
	}
	return out
}

// joinedWish joins two sentences that make one wish.
func joinedWish(first, second prose.Statement, short bool) (prose.Statement, *wish, bool) {
	if both, w, ok := complaintOf(first, second); ok {
		return both, w, true
	}
	isAsked := strings.HasSuffix(first.Bare, "?") || strings.HasSuffix(second.Bare, "?")
	if !isAsked && isRightBehind(second, first) && !isUnclear(first.Bare) {
		if wishRules().ForAll.MatchString(second.Bare) {
			return joinStatements(first, second), aGeneralRule, true
		}
	}
	return pairOf(first, second, short)
}

// complaintOf joins what somebody finds again and that it is not wanted: "Tabs again? We
// don't use them".
func complaintOf(first, second prose.Statement) (prose.Statement, *wish, bool) {
	if !isRightBehind(second, first) || isUnclear(second.Bare) {
		return prose.Statement{}, nil, false
	}
	if !wishRules().Complaint.MatchString(first.Bare) || !wishRules().NotOurs.MatchString(second.Bare) {
		return prose.Statement{}, nil, false
	}
	return joinStatements(first, second), aComplaint, true
}

// joinStatements returns two sentences as one statement.
func joinStatements(first, second prose.Statement) prose.Statement {
	first.Text, first.Bare, first.Next = first.Text+" "+second.Text, first.Bare+" "+second.Bare, second.Next
	return first
}

// isRightBehind reports whether b is the sentence behind a.
func isRightBehind(b, a prose.Statement) bool { return strings.HasSuffix(a.Next, b.Text) }

// pairOf joins two sentences that make one wish: what not to use, and what
// to use instead.
func pairOf(first, second prose.Statement, short bool) (prose.Statement, *wish, bool) {
	a, b := first, second
	if preferenceRules().Instead.MatchString(first.Bare) {
		a, b = b, a
	}
	if !isRightBehind(second, first) || !preferenceRules().Unwanted.MatchString(a.Bare) || !preferenceRules().Instead.MatchString(b.Bare) {
		return prose.Statement{}, nil, false
	}
	w, ok := wishIn(a, short)
	isWanted := ok && w.Frame == memory.TitleWants
	return joinStatements(first, second), w, isWanted && !isPassing(b.Bare) && !wishRules().Pointing.MatchString(b.Bare)
}

func (w *wish) toDraft(s *Turn, say prose.Statement) memory.Draft {
	m := s.Draft(memory.Preferences, memory.OriginUser)
	statement := strings.TrimRight(preferenceRules().Repeated.ReplaceAllString(say.Text, ""), " .!?")
	setTitle(&m, string(w.Frame)+statement)
	m.Confidence, m.Importance = w.Confidence, memory.High
	m.Keywords, m.Evidence = prose.Keywords(statement), say.Text
	SetScope(&m, say.Bare)
	m.Subject = []string{m.AppliesTo, strings.Join(prose.PlainWords(preferenceRules().Repeated.ReplaceAllString(say.Bare, "")), " ")}
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
func appendStatement(m *memory.Draft, say prose.Statement) {
	whole := m.Title
	if m.Text != "" {
		whole = m.Text
	}
	setTitle(m, whole+". "+strings.TrimRight(say.Text, " .!?"))
}

// isGlobal reports whether a wish is for all projects: it says so, or it is
// about how to talk.
func isGlobal(bare string) bool {
	return preferenceRules().ToAll.MatchString(bare) || preferenceRules().ToTalk.MatchString(bare) && !preferenceRules().ToProject.MatchString(bare)
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
