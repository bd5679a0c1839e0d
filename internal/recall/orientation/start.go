package orientation

import (
	"slices"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/brief"
	"recollect/internal/recall/request"
	"recollect/internal/recall/statement"
	"recollect/internal/text/activity"
	"recollect/internal/text/instruction"
	"recollect/internal/text/prose"
)

// Bounds of what a session begins with, in lines.
const (
	mostLines  = 8 // in all
	mostOpen   = 2 // that the last session left open
	mostRules  = 4 // that the user wants in all that is done
	mostFound  = 2 // that sessions on this branch, or with the files in work, decided or found
	mostChosen = 3 // that the user decided last, wherever
	mostGoals  = 2
)

// sessionsLookedAt is how many of the newest sessions are looked at for those that the branch and the files in work
// point to.
const sessionsLookedAt = 40

// A project is young while it has at most so many sessions. Until then nearly all that they came to bears on the next one,
// and is said at each start; later most of it is noise.
const young = 6

// youngLines bounds what a session of a young project begins with, in entries.
const youngLines = 14

// lookedBack returns how many sessions the start of a session needs to know.
func lookedBack(req *request.Request) int {
	if req.Work.Root == "" {
		return young + 1
	}
	return sessionsLookedAt
}

// related returns the session whose end the new one goes on from, nil if there is none, and those that its branch and
// files point to, the newest first. A session goes on from the last one if that ended on the same branch, and on a
// branch of its own from the last one there.
func related(req *request.Request, sessions []brief.Brief) (last *brief.Brief, here []brief.Brief) {
	work := &req.Work
	for i := range sessions {
		s := &sessions[i]
		if isRelated(work, s) {
			here = append(here, *s)
		}
		isLast := i == 0 || work.Branch != ""
		isOfBranch := work.Root == "" || s.Branch() == work.Branch
		if last == nil && isLast && isOfBranch {
			last = s
		}
	}
	return last, here
}

// isRelated reports whether a session worked on the branch, or left files unfinished that are in work.
func isRelated(work *memory.Checkout, s *brief.Brief) bool {
	ofBranch := work.Branch != "" && s.Branch() == work.Branch
	return ofBranch || slices.ContainsFunc(s.Handoff.Files, work.HasChanged)
}

// A start collects the lines that a session begins with, each a statement of its own.
type start struct {
	req    *request.Request
	res    *request.Result
	budget block.Budget
	said   []map[string]bool // words of each line

	sessions []brief.Brief // of the project, the newest first
	isYoung  bool          // it has few
	last     *brief.Brief  // the session that the new one goes on from, nil for none
	here     []brief.Brief // those that its branch and files point to
}

func newStart(req *request.Request, res *request.Result, sessions []brief.Brief) *start {
	s := &start{req: req, res: res, sessions: sessions, isYoung: len(sessions) <= young}
	lines := mostLines
	if s.isYoung {
		lines = youngLines
	} else {
		s.last, s.here = related(req, sessions)
	}
	s.budget = request.NewBudget(req, lines, req.Settings.Orientation.Tokens)
	return s
}

// addLast adds what the last session left open, or else said is next, once: a session that begins with it and goes
// elsewhere says that it is not wanted. What somebody wrote down for the next session in a form of their own is added as
// it is.
func (s *start) addLast() {
	if s.isYoung {
		if len(s.sessions) > 0 {
			injectLast(s.res, &s.budget, s.req, s.sessions[0], lastSession, s.req.Settings.Orientation.Tokens)
		}
		return
	}
	last := s.last
	if last == nil || s.begunWith(last.Handoff) > 0 {
		return
	}
	if len(last.Lines()) == 0 {
		if !last.Handoff.StatesNothing() && !wantsObedience(last.Handoff) {
			injectAlone(s.res, &s.budget, s.req, last.Handoff)
		}
		return
	}
	if s.addLines(last, brief.Open, mostOpen) == 0 {
		s.addLines(last, brief.Next, 1)
	}
}

// begunWith returns how many sessions have begun with a memory, as far as that matters.
func (s *start) begunWith(m *memory.Memory) int {
	if s.isYoung {
		return 0
	}
	return s.req.BegunWith(m.ID)
}

// addEarlier adds what sessions of a young project came to, else only what bears on the work in hand and was decided last.
func (s *start) addEarlier(r *Reader) error {
	if s.isYoung {
		for _, earlier := range s.sessions[min(1, len(s.sessions)):] {
			injectLines(s.res, &s.budget, s.req, earlier, earlierSession, s.req.Settings.Orientation.Tokens)
		}
		return nil
	}
	s.addFound(s.here)
	return s.addChosen(r)
}

// addFound adds what sessions decided and found out about the work in hand.
func (s *start) addFound(here []brief.Brief) {
	left := mostFound
	for i := range here {
		for _, kind := range []string{brief.Decided, brief.Cause} {
			left -= s.addLines(&here[i], kind, min(1, left))
		}
	}
}

// addLines adds the last lines of a kind that a session has, and returns how many.
func (s *start) addLines(of *brief.Brief, kind string, most int) int {
	n := 0
	lines := of.Lines()
	for i := range slices.Backward(lines) {
		line := &lines[i]
		if n == most {
			break
		}
		if line.Kind == kind && s.isNew(line) && s.addLine(line) {
			n++
		}
	}
	return n
}

// isNew reports whether a line is worth one and not in the session yet.
func (s *start) isNew(line *brief.Line) bool {
	return !s.req.Session.HasLine(*line) && isWorthALine(line)
}

// isWorthALine reports whether a line says something by itself that nobody else says.
func isWorthALine(line *brief.Line) bool {
	text := line.Bare()
	switch {
	case line.Memory.Origin != memory.OriginUser && instruction.In(text):
		return false
	case line.Kind == brief.Open:
		return saysWhatIsOpen(text)
	case line.Kind == brief.Next: // its topic explains it
		return len(request.WordsIn(shownText(line))) >= leastOfOpen
	}
	return line.Memory.Origin == memory.OriginUser || stated(line) != ""
}

// Lines of what is open that begin so say nothing that the next session needs: git knows the files, and what Claude
// offered last was mostly not wanted.
var idleLeads = []string{"not committed: ", "asked the user: "}

// How many words other than stop words a rule has at least, and what is open, which a prompt only names.
const (
	leastOfRule = 2
	leastOfOpen = 4
)

// saysWhatIsOpen reports whether a line says by itself what is open.
func saysWhatIsOpen(text string) bool {
	if slices.ContainsFunc(idleLeads, func(lead string) bool { return strings.HasPrefix(text, lead) }) {
		return false
	}
	return !strings.HasSuffix(text, "?") && standsAlone(text, leastOfOpen)
}

// stated returns the first sentence of a line of Claude's that states something by itself, "" if none does.
func stated(line *brief.Line) string {
	for _, sentence := range prose.Sentences(line.Bare()) {
		if prose.States(sentence, line.Kind == brief.Cause) {
			return sentence
		}
	}
	return ""
}

// addLine adds a line of a session, unless another says the same or there is no room.
func (s *start) addLine(line *brief.Line) bool {
	text := line.Bare()
	entry := block.Statements(line.Memory, s.req.Project, block.Statement{Kind: line.Kind, Text: shownText(line)})
	if s.isSaid(text) || !s.budget.Spend(line.Memory.Source, entry) {
		return false
	}
	s.res.AddStatements(line.Memory, 0, entry, []block.Statement{{Text: text}})
	return true
}

// shownText returns what is shown of a line. A next step needs what it is a step of.
func shownText(line *brief.Line) string {
	text := line.Bare()
	switch {
	case line.Kind == brief.Next:
		topic := prose.ClipWords(line.Memory.Title, MaxLine/2)
		return topic + ": " + prose.ClipWords(text, MaxLine-len(topic))
	case line.Kind == brief.Cause:
		text = stated(line)
	}
	return prose.ClipWords(text, MaxLine)
}

// addRules adds what the user wants in all that is done, said with certainty or more than once. What else is about an
// activity comes with the prompt or call that is about it.
func (s *start) addRules(r *Reader) error {
	for _, src := range []memory.Source{memory.Preferences, memory.Patterns} {
		if err := s.addSource(r, src, mostRules, ByWeight, s.isStandingRule); err != nil {
			return err
		}
	}
	return nil
}

// The confidence that a rule needs which was stated once, and one that is also about an activity: the words of that leave
// no doubt ("never", "always"), and a prompt that leads to the activity need not name it.
const (
	leastCertain = 0.7
	noDoubt      = 0.85
)

// isStandingRule reports whether a memory holds for all that is done, or for the very folder that the session is in, and
// is more than a fix for one command.
func (s *start) isStandingRule(m *memory.Memory) bool {
	isCertain := m.Confidence == 0 || m.Confidence >= leastCertain || m.Occurrences() > 1
	isStated := m.Source == memory.Preferences || m.Origin != memory.OriginAssistant && m.Origin != memory.OriginTool
	if isForAll := s.isForAll(m); !isCertain || !isStated || !isForAll {
		return false
	}
	return standsAlone(ruleText(m), leastOfRule) && !s.isUnheeded(m)
}

// isForAll reports whether a rule need not wait for the activity that it is about.
func (s *start) isForAll(m *memory.Memory) bool {
	isOnPurpose := m.Session == ""
	hasNoActivity := len(activity.Of(m)) == 0 || m.IsNarrowedTo(s.req.Project)
	return hasNoActivity || isOnPurpose || m.Confidence >= noDoubt
}

// mostUnheeded is how many sessions begin with a rule that was stated once and of which none makes use. Later it comes
// with the prompts that it is relevant to.
const mostUnheeded = 3

func (s *start) isUnheeded(m *memory.Memory) bool {
	isOnce := m.Session != "" && m.Occurrences() <= 1
	return isOnce && s.req.UsesOf(m.ID) == 0 && s.begunWith(m) >= mostUnheeded
}

// pointing are words that stand for what was said or shown before, unless the next word is one of places: "this project".
var (
	pointing = []string{"it", "same", "that", "them", "there", "these", "this", "those"}
	places   = []string{"app", "codebase", "folder", "machine", "package", "project", "repo", "repository"}
)

// standsAlone reports whether somebody understands a text, of so many words at least, who did not see what it was said
// about.
func standsAlone(text string, least int) bool {
	words := strings.FieldsFunc(strings.ToLower(text), prose.NotInName)
	for i, word := range words {
		isOfPlace := i+1 < len(words) && slices.Contains(places, words[i+1])
		if slices.Contains(pointing, word) && !isOfPlace {
			return false
		}
	}
	return len(request.WordsIn(text)) >= least
}

// ruleText returns the first thing that a memory states. A title alone may only announce it.
func ruleText(m *memory.Memory) string {
	all := statement.Of(m)
	if len(all) == 0 {
		return m.Title
	}
	if len(all) > 1 && all[0].Text == m.Title && m.Source == memory.Registry {
		return m.Title + ": " + all[1].Text
	}
	return all[0].Text
}

// addChosen adds what the user decided last, once: most decisions are carried out soon, and some replaced.
func (s *start) addChosen(r *Reader) error {
	return s.addSource(r, memory.Journal, mostChosen, byTime, func(m *memory.Memory) bool {
		isChoice := m.Origin == memory.OriginUser || m.Session == "" // it was stored on purpose
		choice, _, _ := strings.Cut(ruleText(m), " (")               // without what it is about
		return isChoice && s.begunWith(m) == 0 && standsAlone(choice, leastOfRule)
	})
}

// addGoals adds the goals that the user stated. What is left on Claude's list is open in its session.
func (s *start) addGoals(r *Reader) error {
	return s.addSource(r, memory.Goals, mostGoals, byTime, func(m *memory.Memory) bool {
		return m.Origin != memory.OriginAssistant && s.begunWith(m) == 0
	})
}

// addSource adds the first memories of a source that pass a test, in one line each.
func (s *start) addSource(r *Reader, src memory.Source, most int, order func(a, b *memory.Memory) int, test func(*memory.Memory) bool) error {
	if !s.req.Settings.Sources.Of(src).Enabled {
		return nil
	}
	first, err := r.readFirst(src, s.req, most, order, test)
	if err != nil {
		return err
	}
	for i := range first {
		m := &first[i]
		text := ruleText(m)
		entry := block.Statements(m, s.req.Project, block.Statement{Text: prose.ClipWords(text, MaxLine)})
		if !s.isSaid(text) && s.budget.Spend(src, entry) {
			s.res.Add(m, 0, entry, api.OutcomeInjected)
		}
	}
	return nil
}

// sameWords is the share, in [0, 1], of the words of one of two lines that the other has if they say the same.
const sameWords = 0.8

// isSaid reports whether a line says what one before it says, and keeps its words otherwise.
func (s *start) isSaid(text string) bool {
	words := request.WordsIn(text)
	for _, other := range s.said {
		if shareIn(words, other) >= sameWords || shareIn(other, words) >= sameWords {
			return true
		}
	}
	s.said = append(s.said, words)
	return false
}

// shareIn returns the share of words that are among others, 0 of none.
func shareIn(words, others map[string]bool) float64 {
	n := 0
	for w := range words {
		if others[w] {
			n++
		}
	}
	return float64(n) / float64(max(1, len(words)))
}
