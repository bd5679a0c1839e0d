package extract

import (
	"slices"

	"recollect/internal/clean"
	"recollect/internal/memory"
	"recollect/internal/prose"
	"recollect/internal/reasoning"
)

const maxThoughts = 3

const maxAbout = 80 // bytes of what the turn is about

// thinking makes memories of what Claude found out and what it rejected, with
// the reason: not of what it was about to do, nor of what it was asked. At
// most maxThoughts of a turn, the best first.
func thinking(s *Scene) []memory.Draft {
	blocks := make([]string, len(s.Thinking))
	for i, block := range s.Thinking {
		blocks[i] = clean.Text(block)
	}
	var out []memory.Draft
	var accepted []reasoning.Thought
	for _, t := range reasoning.Thoughts(blocks, s.Asked) {
		if len(out) == maxThoughts || slices.ContainsFunc(accepted, t.Alike) {
			continue
		}
		if m, ok := s.thinkingMemory(t); ok {
			out, accepted = append(out, m), append(accepted, t)
		}
	}
	return out
}

// thinkingMemory makes a thought readable alone: where it names nothing, it
// begins with what the turn is about.
func (s *Scene) thinkingMemory(t reasoning.Thought) (memory.Draft, bool) {
	m := s.Draft(memory.Thinking, memory.OriginAssistant)
	m.Title, m.Text = t.Conclusion, t.Text
	if !t.Alone() {
		topic := s.topic()
		if topic == "" {
			return m, false
		}
		m.Text = "On “" + prose.Clip(topic, maxAbout) + "”: " + t.Text
	}
	m.Confidence = 0.5
	if !t.Plain() {
		m.Confidence = 0.6
	}
	m.Keywords, m.Evidence = prose.Keywords(t.Text), t.Conclusion
	return m, true
}
