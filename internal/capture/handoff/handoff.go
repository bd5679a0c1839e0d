// Package handoff writes what a session came to, for those that come after
// it: its topic, the causes that were found, what was done, what is open and
// what comes next.
//
// A line is one such thing, with the turn that said it. A matter is what a
// prompt raised, with all the prompts after it that only answer or go on.
package handoff

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"

	"recollect/internal/capture/extract"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/text/instruction"
	"recollect/internal/text/prose"
)

// Bounds of the parts of a handoff, in bytes where not said otherwise.
const (
	maxCauses   = 2        // lines
	maxOutcomes = 3        // lines that say how a turn came out
	maxWords    = 500      // of the prompts
	maxItems    = 5        // lines of what is open, of what is next; to-dos, commits
	maxFiles    = 4        // that a line names
	maxCommits  = 3        // that a line names
	maxStated   = 8        // statements
	maxItem     = 200      // of an item, a question, an error
	maxOutcome  = 300      // of what a turn came to
	maxWanted   = 300      // of what a summary says was asked for
	maxRead     = 16 << 10 // of a prompt or reply that is read: what is longer was pasted
	staleTurns  = 3        // after so many turns a to-do list that was not touched says nothing any more, nor does what was said to be open or next
)

// A Session is what the main transcript shows of one, gathered turn by turn,
// as far as those that come after it need to know it.
type Session struct {
	turns     int              // in a human's words
	asked     time.Time        // the latest prompt
	ended     time.Time        // the last turn
	last      memory.Draft     // what the last turn begins a memory with
	branch    string           // of the last turn
	reply     string           // that the last turn ended with
	question  string           // that the last reply ends with
	pending   string           // question of a tool that was not answered
	stopped   bool             // the user stopped the last turn
	hasNews   bool             // something was left open, announced, asked or planned
	about     matter           // that most was changed for
	now       matter           // that the last turn belongs to
	first     string           // what the first reply says, for want of a topic
	todos     extract.TodoList // to-dos
	elsewhere []string         // those that a text from elsewhere says are to be done
	words     []string         // of the prompts
	listed    int              // turn that last touched the to-do list
	work      work             // on files
	causes    []line           // that were found
	guessed   int              // turn whose cause was only taken for one
	outcomes  []line           // of the turns that changed something
	open      []line           // that was said to be open
	next      []line           // that Claude said is next
	postponed []line           // that the user put off
	ask       string           // the last that says by itself what is wanted
	left      string           // what the last turn did not bring to its end
	summary   map[string]string
	summed    int // turn in which the conversation was compacted
}

// pastedTopic is the topic of a session in which somebody pasted what wants to be obeyed.
const pastedTopic = "a pasted text"

// stoppedByUser says that the user pressed Escape. That alone is nothing to
// hand over.
const stoppedByUser = "interrupted by the user"

// stoppedAt says that the user pressed Escape, and at what, unless that is what the session is about.
func (w *Session) stoppedAt() string {
	if w.ask == "" || w.ask == w.about.title {
		return stoppedByUser
	}
	return prose.Clip(stoppedByUser+": "+w.ask, maxItem)
}

// Clone returns a copy of w, which shares nothing with it that Add changes.
func (w *Session) Clone() Session {
	c := *w
	c.todos = w.todos.Copy()
	c.work = w.work.clone()
	for _, list := range []*[]line{&c.causes, &c.outcomes, &c.open, &c.next, &c.postponed} {
		*list = slices.Clone(*list)
	}
	c.words, c.elsewhere = slices.Clone(w.words), slices.Clone(w.elsewhere)
	return c
}

// ID returns the session's id, "" before its first turn.
func (w *Session) ID() string { return w.last.Session }

// Add makes s known, the turn after those that were added before. It reports
// false, and passes it over, if s is a sub-agent's, a copy of an earlier one
// that a resumed client wrote, or was not asked for by a human.
func (w *Session) Add(s *extract.Turn) bool {
	isSeen := !s.At.IsZero() && !s.At.After(w.asked)
	if !s.ByUser() || s.Memo || isSeen {
		return false
	}
	w.turns++
	w.asked = s.At
	for _, at := range []time.Time{s.At, s.End} {
		if at.After(w.ended) {
			w.ended = at
		}
	}
	w.todos.Session = s.Session
	p := promptOf(s)
	w.raiseTopic(p)
	for _, word := range keyWords(prose.Clip(p.own, maxAsked)) {
		if len(w.words) < maxWords {
			prose.AddOnce(&w.words, word)
		}
	}
	changes := w.readActions(s)
	if w.now.changes += changes; w.about.title == "" || w.now.changes > w.about.changes {
		w.about = w.now
	}
	w.readReplies(s, p, changes > 0)
	w.left = w.unfinished(s, p, changes > 0)
	w.hasNews = w.hasNews || s.Plan != ""
	w.last = s.Draft(memory.Handoffs, memory.OriginAssistant)
	w.last.Tags = s.CheckpointTags()
	w.branch, w.reply, w.stopped = clean.Text(s.Branch), prose.WholeLines(s.Reply, maxRead), s.Interrupted
	if s.Summary != "" {
		w.summary, w.summed = readSummary(clean.Text(s.Summary)), w.turns
	}
	return true
}

// Draft returns what those who come after the session should know of it.
// There is none of a session without a topic, nor of one that a single
// question was answered in.
func (w *Session) Draft() (memory.Draft, bool) {
	title := w.titleText()
	if title == "" || w.turns < 2 && !w.cameToAnything() {
		return memory.Draft{}, false
	}
	fields := map[string]string{
		"cause": joinLines(w.causes), "done": joinLines(w.linesDone()), "open": joinLines(w.linesLeft()), "next": joinLines(w.linesNext()),
	}
	maps.DeleteFunc(fields, func(_, value string) bool { return value == "" })
	m := w.last
	m.OccurredAt, m.Confidence = w.ended, 0.8
	m.Title, m.Text, m.Fields = cmp.Or(instruction.Without(title), pastedTopic), w.text(), fields
	m.Files = w.work.inFlight()
	m.Keywords = prose.Keywords(title, fields["cause"], fields["done"], fields["open"], fields["next"])
	m.Subject = []string{m.Session}
	m.Statements = w.stated()
	if fields["open"]+fields["next"] == "" && len(w.causes)+len(w.outcomes) == 0 {
		m.MarkUnlessStated() // of what was edited git knows
	}
	return m, true
}

// stated returns the sentences of the causes, outcomes and commits that state something by themselves.
func (w *Session) stated() []string {
	var out []string
	add := func(lines []line, asCause bool) {
		for _, l := range lines {
			for _, sentence := range prose.Sentences(l.text) {
				if prose.States(sentence, asCause) && !instruction.In(sentence) {
					prose.AddOnce(&out, prose.ClipClause(sentence, prose.MaxStated))
				}
			}
		}
	}
	add(w.causes, true)
	add(w.outcomes[max(0, len(w.outcomes)-maxOutcomes):], false)
	for _, subject := range w.work.commits[max(0, len(w.work.commits)-maxCommits):] {
		prose.AddOnce(&out, prose.ClipClause("Committed: "+subject, prose.MaxStated))
	}
	return out[:min(len(out), maxStated)]
}

// text says what was asked for and where the work stood.
func (w *Session) text() string {
	var lines []string
	say := func(label, words string, most int) {
		if words != "" {
			lines = append(lines, label+": "+prose.Clip(words, most))
		}
	}
	say("Wanted", w.wanted(), maxWanted)
	if w.justSummed() {
		say("At work on", instruction.Without(w.summary["work"]), maxWanted)
	}
	if w.now.title != w.about.title && w.stopped {
		say("Last asked", w.now.title, maxItem)
	}
	switch w.branch {
	case "", "main", "master", "HEAD":
	default:
		say("Branch", w.branch, toolcall.MaxCommand)
	}
	return strings.Join(lines, "\n")
}

// wanted returns what a summary says was asked for, as far as the prompts have its words: it may
// have taken somebody else's words for the user's.
func (w *Session) wanted() string {
	var out []string
	for _, sentence := range prose.Whole(prose.Sentences(w.summary["wanted"])) {
		words := keyWords(sentence)
		n := 0
		for _, word := range words {
			if hasWord(w.words, word) {
				n++
			}
		}
		if n > 0 && n*leastAsked >= len(words) && !instruction.Orders(sentence) {
			out = append(out, sentence)
		}
	}
	return strings.Join(out, " ")
}

// leastAsked is the part of the words of what a summary says was asked for, one in so many, that
// the prompts have.
const leastAsked = 4

// joinLines returns lines as they stand in a field, without those that want to be obeyed.
func joinLines(lines []line) string {
	return joinTexts(slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return instruction.In(l.text) }))
}

func (w *Session) justSummed() bool { return w.summary != nil && w.turns-w.summed <= 1 }

// linesDone says how the turns came out that changed something, what was committed
// and what was edited.
func (w *Session) linesDone() []line {
	out := w.outcomes[max(0, len(w.outcomes)-maxOutcomes):]
	if len(out) == 0 && w.justSummed() && w.summary[""] != "" {
		out = []line{{w.summary[""], w.summed}}
	}
	return append(slices.Clone(out), w.work.lines()...)
}

// linesLeft says what those who come after should not take for finished.
func (w *Session) linesLeft() []line {
	var out []line
	now := func(words string) {
		if words != "" {
			out = append(out, line{words, w.turns})
		}
	}
	if w.stopped && (w.work.changed || w.hasNews) {
		now(w.stoppedAt())
	}
	isUnfinished := w.stopped || admitsFailure(w.reply)
	if isUnfinished && w.work.failed != "" && w.work.ranIn == w.turns {
		now("`" + w.work.ran + "` failed last: " + w.work.failed)
	}
	switch {
	case w.pending != "":
		now("asked the user: " + w.pending)
	case w.question != "" && !saidIn(w.question, slices.Concat(w.next, w.open, w.postponed)):
		now("asked the user: " + w.question)
	}
	out = append(out, w.freshLines(w.open)...)
	if !w.justSummed() && !saidIn(w.left, out) {
		now(w.left)
	}
	if w.listed > 0 && w.turns-w.listed < staleTurns && !w.IsListClosed() {
		own := slices.DeleteFunc(w.todos.Open(), func(name string) bool { return slices.Contains(w.elsewhere, name) })
		for _, name := range own[:min(len(own), maxItems)] {
			out = append(out, line{"to do: " + name, w.listed})
		}
	}
	if w.justSummed() && w.summary["pending"] != "" {
		out = append(out, line{w.summary["pending"], w.summed})
	}
	return append(out, w.work.linesUncommitted()...)
}

// linesNext says what is to be done next.
func (w *Session) linesNext() []line {
	out := append(slices.Clone(w.postponed), w.freshLines(w.next)...)
	step := w.summary["next"]
	isStep := step != "" && !strings.Contains(step, "…") // not an essay
	if len(out) == 0 && isStep && w.justSummed() {
		return []line{{step, w.summed}}
	}
	return out[max(0, len(out)-maxItems):]
}

// freshLines returns the last of the lines that were said less than staleTurns turns ago.
func (w *Session) freshLines(lines []line) []line {
	out := slices.DeleteFunc(slices.Clone(lines), func(l line) bool { return w.turns-l.turn >= staleTurns })
	return out[max(0, len(out)-maxItems):]
}

// cameToAnything reports whether the session has a summary, or changed, announced or left something.
func (w *Session) cameToAnything() bool { return w.work.changed || w.hasNews || w.summary != nil }
