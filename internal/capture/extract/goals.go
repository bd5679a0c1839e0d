package extract

import (
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

// Bounds of what one turn says of goals.
const (
	maxOpen = 10 // what is left of a longer list is no goal but a plan

	maxTopic = 160 // bytes of what it belongs to
)

// goals makes memories of what is left to do: what stands on Claude's to-do
// list at the end of the turn, and what the user says is to be reached. What
// the turn got done, or dropped from the list, makes one with the tag done, which
// ends the goal, if there is one.
func goals(s *Turn) []memory.Draft {
	if s.Sidechain || s.Agent != "" {
		return nil // the list of a sub-agent ends with it
	}
	topic := s.topic()
	var out []memory.Draft
	open := 0
	for _, t := range s.touchedTasks() {
		if t.open {
			open++
		}
		if t.open && (open > maxOpen || s.ListedElsewhere(t.name)) {
			continue
		}
		out = append(out, s.goalOf(t, topic))
	}
	if s.inOwnWords() {
		out = append(out, s.statedGoals()...)
	}
	return out
}

// goalOf is the memory of an item of a to-do list.
func (s *Turn) goalOf(t listedTask, topic string) memory.Draft {
	m := s.Draft(memory.Goals, memory.OriginAssistant)
	m.Title, m.Confidence, m.Tags = t.name, 0.8, []string{memory.TagOpen}
	if !t.open {
		m.Tags = []string{memory.TagDone}
	}
	if topic != "" && len(strings.Fields(t.name)) < 3 {
		m.Title = t.name + ": " + topic // "Run tests" alone says nothing
	}
	m.Text = t.detail
	m.Keywords = prose.Keywords(t.name, t.detail, topic)
	m.Subject = t.subject
	return m
}

// topic is what the turn is about, or the one before where the prompt only says
// to go on.
func (s *Turn) topic() string {
	for at := s; at != nil; at = at.before {
		if topic := at.subject(); topic != "" && at.Typed() {
			return topic
		}
	}
	return ""
}

// opening is the first words of the turn's prompt, or of the one before where
// the prompt only says to go on.
func (s *Turn) opening() string {
	for at := s; at != nil; at = at.before {
		if own := at.asked.Own(); at.Typed() && !prose.Trivial(own) {
			return prose.Clip(prose.OneLine(prose.Title(own)), maxTopic)
		}
	}
	return ""
}

// touchedTasks returns the items that the turn touched, as they are at its end, in
// the order in which they appeared.
func (s *Turn) touchedTasks() []listedTask {
	return slices.DeleteFunc(slices.Clone(s.todos.items), func(t listedTask) bool { return !t.touched })
}
