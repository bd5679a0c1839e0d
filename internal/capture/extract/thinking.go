package extract

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"recollect/internal/capture/dialogue"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
)

const maxThoughts = 3

const (
	maxAbout        = 80  // bytes of what the turn is about
	maxThoughtTitle = 118 // bytes
	leastSaid       = 0.5 // share of a thought's words that the reply has if it is about the same
)

// thinking makes memories of what Claude found out and what it rejected, with
// the reason: not of what it was about to do, nor of what it was asked. At
// most maxThoughts of a turn, the best first, and one cause; of much reasoning
// only the one that the turn confirms best.
func thinking(s *Turn) []memory.Draft {
	c := s.concluded()
	var out []memory.Draft
	var accepted []dialogue.Thought
	for _, t := range c.thoughts {
		if len(out) == maxThoughts || slices.ContainsFunc(accepted, func(o dialogue.Thought) bool { return t.Alike(o) || t.Cause && o.Cause }) {
			continue
		}
		fix := ""
		if c.much || !t.Rejects {
			fix = s.fixOf(t, c.changed)
		}
		if m, ok := s.thinkingMemory(t, fix); ok {
			if c.much && s.ID != "" {
				m.Subject = []string{s.ID, "confirmed"} // the only one of its turn, which may grow
			}
			out, accepted = append(out, m), append(accepted, t)
		}
	}
	return out
}

// A conclusion is what a turn's reasoning came to.
type conclusion struct {
	thoughts []dialogue.Thought // the best first
	changed  []changedFile      // what the turn changed
	much     bool               // it was much reasoning
}

// conclude returns what a turn's reasoning came to.
func (s *Turn) conclude() (c conclusion) {
	if s.isContinued() {
		return c
	}
	size, blocks := 0, make([]string, len(s.Thinking))
	for i, block := range s.Thinking {
		blocks[i] = clean.Text(block)
		size += len(block)
	}
	c.thoughts, c.much = dialogue.Thoughts(blocks, s.Asked), size > littleReasoning
	if len(c.thoughts) > 0 {
		c.changed = s.changedFiles()
	}
	if c.much {
		c.thoughts = s.confirmedThoughts(c.thoughts, c.changed)
	}
	return c
}

// isContinued reports whether more of a turn is to come: its last call was not refused, and Claude has
// said nothing since.
func (s *Turn) isContinued() bool {
	n := len(s.Actions)
	if n == 0 || s.Interrupted {
		return false
	}
	return !s.Actions[n-1].Refused && s.Actions[n-1].Said == len(s.Replies)
}

// Cause returns what Claude's reasoning found to be the cause of what the turn
// put right, as far as the turn confirms it; "" if nothing.
func (s *Turn) Cause() string {
	c := s.concluded()
	for _, t := range c.thoughts {
		if _, remedy := t.Remedies(); len(c.changed) > 0 && (t.Cause || remedy) {
			return strings.TrimPrefix(t.AsCause().WithoutLines().Text, dialogue.LabelCause)
		}
	}
	return ""
}

// thinkingMemory makes a thought readable alone: it begins with what the turn
// is about. What was found wrong in a turn that changed something is the cause
// of that change, or only something on the way.
func (s *Turn) thinkingMemory(t dialogue.Thought, fix string) (memory.Draft, bool) {
	m := s.Draft(memory.Thinking, memory.OriginAssistant)
	if s.ID != "" {
		m.Subject = []string{s.ID, t.Conclusion, s.identityOf(t)}
	}
	m.Confidence, m.Evidence = 0.5, t.Conclusion
	if !t.Plain() {
		m.Confidence = 0.6
	}
	if t.Cause && fix != "" {
		if !s.saidOf(t) {
			return m, false
		}
		t = t.AsCause()
	}
	t = t.WithoutLines()
	if m.Text = aboutTopic(t, s.topic()); m.Text == "" {
		return m, false
	}
	if fix != "" {
		m.Text += "\n" + fix
	}
	m.Title, m.Keywords = prose.ClipWords(t.Conclusion, maxThoughtTitle), prose.Keywords(t.Text)
	return m, true
}

// onTopic says what a thought is about.
func onTopic(topic string) string { return memory.OnTopic(prose.Clip(topic, maxAbout)) }

// aboutTopic returns a thought with what the turn is about, as far as that says
// something; "" if neither names anything.
func aboutTopic(t dialogue.Thought, topic string) string {
	switch {
	case topic != "" && (!t.Alone() || prose.Informative(topic) >= minTitled):
		return onTopic(topic) + t.Text
	case t.Alone():
		return t.Text
	}
	return ""
}

// identityOf tells a thought from others: its words, and where they name nothing
// what the turn is about.
func (s *Turn) identityOf(t dialogue.Thought) string {
	if t.Alone() {
		return t.Text
	}
	return aboutTopic(t, s.opening())
}

// saidOf reports whether the reply that says how the turn came out has what a
// thought is about: a name, or most of its words.
func (s *Turn) saidOf(t dialogue.Thought) bool {
	if s.Reply == "" {
		return true
	}
	reply := strings.ToLower(s.Reply)
	names := prose.Keywords(t.Text)
	return prose.ContainsAny(reply, names) || t.Shares(dialogue.WordsOf(s.Reply)) >= leastSaid
}

// fixOf says what the turn changed: the file whose change is about the thought
// or that the reply names, else what was committed, else the file that most was
// changed in; "" if it changed nothing.
func (s *Turn) fixOf(t dialogue.Thought, changed []changedFile) string {
	d := toolcall.ReadActions(s.Actions, s.Paths)
	commits := d.Commits()
	if len(changed) > 0 {
		names := t.Terms()
		best := slices.MaxFunc(changed, func(a, b changedFile) int { return s.compareFiles(names, a, b) })
		isNamed := s.countNamed(best) > 0 || best.countNames(names) > 0
		if isNamed || len(commits) == 0 && strings.Contains(best.file, "/") {
			return "Fixed in " + best.file + "."
		}
	}
	if len(commits) > 0 {
		return `Fixed by the commit "` + commits[0] + `".`
	}
	return ""
}

// compareFiles orders changes by how likely it is that they fixed what a thought
// with these names is about.
func (s *Turn) compareFiles(names []string, a, b changedFile) int {
	if a.isTrial() != b.isTrial() {
		if a.isTrial() {
			return -1
		}
		return 1
	}
	return cmp.Or(
		cmp.Compare(s.countNamed(a), s.countNamed(b)),
		cmp.Compare(a.countNames(names), b.countNames(names)), cmp.Compare(len(a.words), len(b.words)),
	)
}

// countNamed says how exactly the reply names a changed file: 2 by its path, 1 by
// its name.
func (s *Turn) countNamed(c changedFile) int {
	switch {
	case strings.Contains(s.Reply, c.file):
		return 2
	case strings.Contains(s.Reply, path.Base(c.file)):
		return 1
	}
	return 0
}
