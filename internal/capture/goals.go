package capture

import (
	"encoding/json"
	"slices"
	"strings"

	"recollect/internal/claudecode"
	"recollect/internal/memory"
)

// Bounds of what one turn says of goals.
const (
	maxOpen  = 10  // what is left of a longer list is no goal but a plan
	maxGoal  = 200 // bytes of a goal's words
	maxTopic = 160 // bytes of what it belongs to
)

// goals makes memories of what is left to do: what stands on Claude's to-do
// list at the end of the turn, and what the user says is to be reached. What
// the turn got done makes a memory that closes the goal, if there is one: see
// confirm.
func goals(s *scene) []memory.Memory {
	if s.Sidechain || s.Agent != "" {
		return nil // the list of a sub-agent ends with it
	}
	topic := s.topic()
	var out []memory.Memory
	open := 0
	for _, t := range s.chores() {
		if t.open {
			open++
		}
		if t.open && open > maxOpen {
			continue
		}
		out = append(out, s.goalOf(t, topic))
	}
	if s.typed() {
		out = append(out, s.statedGoals()...)
	}
	return out
}

// goalOf is the memory of an item of a to-do list.
func (s *scene) goalOf(t chore, topic string) memory.Memory {
	m := s.memory(memory.Goals, memory.OriginAssistant)
	m.Title, m.Confidence, m.Tags = t.name, 0.8, []string{memory.TagOpen}
	if !t.open {
		m.Tags = []string{memory.TagDone}
	}
	if topic != "" && len(strings.Fields(t.name)) < 3 {
		m.Title = t.name + ": " + topic // "Run tests" alone says nothing
	}
	if topic != "" {
		m.Text = "To do for: " + topic
	}
	if t.detail != "" {
		m.Text = strings.TrimSpace(t.detail + "\n" + m.Text)
	}
	m.Keywords = keywords(t.name, t.detail, topic)
	m.SetSubject(t.subject...)
	return m
}

// topic is what the turn is about: its prompt's first words, or those of the
// one before where the prompt only says to go on.
func (s *scene) topic() string {
	for at := s; at != nil; at = at.before {
		if at.typed() && !trivial(at.asked) {
			return clip(oneLine(title(at.asked)), maxTopic)
		}
	}
	return ""
}

// A chore is an item of a to-do list.
type chore struct {
	subject []string // identifies it among the project's
	name    string
	detail  string
	open    bool
	touched bool // in this turn
}

// todos returns the items that the turn touched, as they are at its end, in
// the order in which they appeared.
func (s *scene) chores() []chore {
	b := board{session: s.Session}
	if s.before != nil {
		b.read(s.before.Actions)
	}
	for i := range b.items {
		b.items[i].touched = false
	}
	b.read(s.Actions)
	return slices.DeleteFunc(b.items, func(t chore) bool { return !t.touched })
}

// A board is a session's to-do list as its tool calls leave it.
type board struct {
	session string
	items   []chore
}

func (b *board) read(actions []claudecode.Action) {
	for _, a := range actions {
		if a.Failed || a.Refused {
			continue
		}
		switch a.Tool {
		case "TodoWrite":
			b.replace(a.Input)
		case "TaskCreate":
			if id := created.FindStringSubmatch(a.Output); id != nil {
				b.task(id[1], member(a.Input, "subject"), member(a.Input, "description"), "pending")
			}
		case "TaskUpdate":
			b.task(member(a.Input, "taskId"), member(a.Input, "subject"), member(a.Input, "description"), member(a.Input, "status"))
		case "TaskList":
			for _, t := range listed.FindAllStringSubmatch(a.Output, -1) {
				b.task(t[1], t[3], "", t[2])
			}
		}
	}
}

var (
	created = lazy(`^Task #(\w+) created`)
	listed  = lazy(`(?m)^#(\w+) \[(pending|in_progress|completed)\] (.+?)(?: \[blocked by [^\]]*\])?$`)
)

// replace makes the list what a TodoWrite says it is. An item that is no
// longer on it was given up, or said in other words.
func (b *board) replace(input string) {
	var list struct {
		Todos []struct {
			Content string `json:"content"`
			Status  string `json:"status"`
		} `json:"todos"`
	}
	if json.Unmarshal([]byte(input), &list) != nil || list.Todos == nil {
		return
	}
	for i := range b.items {
		if t := &b.items[i]; t.open && t.subject[0] == "todo" {
			t.open, t.touched = false, true
		}
	}
	for _, item := range list.Todos {
		if name := goalName(item.Content); name != "" {
			b.put(chore{subject: []string{"todo", subjectOf(name)}, name: name, open: stillOpen(item.Status), touched: true})
		}
	}
}

// task notes what a call says of one task. A task is known by its number, so
// that it can be closed in a turn that does not name it.
func (b *board) task(id, name, detail, status string) {
	if id == "" {
		return
	}
	t := chore{subject: []string{"task", b.session, id}, name: goalName(name), detail: clip(oneLine(Clean(detail)), maxGoal), open: stillOpen(status), touched: true}
	i := b.find(t.subject)
	switch {
	case i >= 0:
		if status == "" {
			t.open = b.items[i].open
		}
		if t.name == "" {
			t.name = b.items[i].name
		}
		if t.detail == "" {
			t.detail = b.items[i].detail
		}
	case t.name == "" && t.open:
		return
	case t.name == "":
		t.name = "Task #" + id // was opened in a turn that is not at hand
	}
	if t.detail == t.name {
		t.detail = ""
	}
	b.put(t)
}

func (b *board) put(t chore) {
	if i := b.find(t.subject); i >= 0 {
		b.items[i] = t
	} else {
		b.items = append(b.items, t)
	}
}

func (b *board) find(subject []string) int {
	return slices.IndexFunc(b.items, func(t chore) bool { return slices.Equal(t.subject, subject) })
}

func stillOpen(status string) bool {
	switch status {
	case "completed", "cancelled", "canceled", "deleted":
		return false
	}
	return true
}

// goalName is a goal's words in one line.
func goalName(s string) string {
	return clip(strings.TrimRight(strings.ReplaceAll(oneLine(Clean(s)), "**", ""), " .:;,"), maxGoal)
}

// subjectOf leaves of a goal's words what is the same however it is written.
func subjectOf(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), notInName), " ")
}
