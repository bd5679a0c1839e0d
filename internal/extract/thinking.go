package extract

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"recollect/internal/clean"
	"recollect/internal/memory"
	"recollect/internal/prose"
	"recollect/internal/reasoning"
	"recollect/internal/toolcall"
)

const maxThoughts = 3

const (
	maxAbout        = 80  // bytes of what the turn is about
	maxThoughtTitle = 118 // bytes
	leastSaid       = 0.5 // share of a thought's words that the reply has if it is about the same
)

// thinking makes memories of what Claude found out and what it rejected, with
// the reason: not of what it was about to do, nor of what it was asked. At
// most maxThoughts of a turn, the best first.
func thinking(s *Scene) []memory.Draft {
	blocks := make([]string, len(s.Thinking))
	for i, block := range s.Thinking {
		blocks[i] = clean.Text(block)
	}
	thoughts := reasoning.Thoughts(blocks, s.Asked)
	fix := ""
	if slices.ContainsFunc(thoughts, func(t reasoning.Thought) bool { return t.Cause }) {
		fix = s.fix()
	}
	var out []memory.Draft
	var accepted []reasoning.Thought
	for _, t := range thoughts {
		if len(out) == maxThoughts || slices.ContainsFunc(accepted, t.Alike) {
			continue
		}
		if m, ok := s.thinkingMemory(t, fix); ok {
			out, accepted = append(out, m), append(accepted, t)
		}
	}
	return out
}

// thinkingMemory makes a thought readable alone: where it names nothing, it
// begins with what the turn is about. What was found wrong in a turn that
// changed something is the cause of that change, or only something on the way.
func (s *Scene) thinkingMemory(t reasoning.Thought, fix string) (memory.Draft, bool) {
	m := s.Draft(memory.Thinking, memory.OriginAssistant)
	if s.ID != "" {
		m.Subject = []string{s.ID, t.Conclusion, aboutTopic(t, s.opening())}
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
	if m.Text = aboutTopic(t, s.topic()); m.Text == "" {
		return m, false
	}
	if t.Cause && fix != "" {
		m.Text += "\n" + fix
	}
	m.Title, m.Keywords = prose.ClipWords(t.Conclusion, maxThoughtTitle), prose.Keywords(t.Text)
	return m, true
}

// aboutTopic returns a thought that can be understood alone, "" if nothing
// says what it is about.
func aboutTopic(t reasoning.Thought, topic string) string {
	if t.Alone() {
		return t.Text
	}
	if topic == "" {
		return ""
	}
	return "On “" + prose.Clip(topic, maxAbout) + "”: " + t.Text
}

// saidOf reports whether the reply that says how the turn came out has what a
// thought is about: a name, or most of its words.
func (s *Scene) saidOf(t reasoning.Thought) bool {
	if s.Reply == "" {
		return true
	}
	reply := strings.ToLower(s.Reply)
	names := prose.Keywords(t.Text)
	return prose.ContainsAny(reply, names) || t.SharedWith(s.Reply) >= leastSaid
}

// fix says what the turn changed: the file that its reply names, else the
// first of the project's, else what was committed; "" if it changed nothing.
func (s *Scene) fix() string {
	d := toolcall.ReadActions(s.Actions, s.Paths)
	own := slices.DeleteFunc(slices.Clone(d.Edited), func(f string) bool { return !filepath.IsLocal(f) })
	named := slices.IndexFunc(own, func(f string) bool { return strings.Contains(s.Reply, path.Base(f)) })
	deep := slices.IndexFunc(own, func(f string) bool { return strings.Contains(f, "/") })
	switch commits := d.Commits(); {
	case named >= 0:
		return "Fixed in " + own[named] + "."
	case len(commits) > 0:
		return `Fixed by the commit "` + commits[0] + `".`
	case deep >= 0:
		return "Fixed in " + own[deep] + "."
	}
	return ""
}
