package extract

import (
	"encoding/json"
	"slices"
	"strings"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/extract/statements"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

// A listedTask is an item of a to-do list.
type listedTask struct {
	subject []string // identifies it among the project's
	name    string
	detail  string
	open    bool
	touched bool // in this turn
}

// A TodoList is a session's to-do list as its tool calls leave it.
type TodoList struct {
	Session string // whose list it is
	items   []listedTask
}

// Copy returns a copy of b that reading does not change, and of which no item was touched.
func (b *TodoList) Copy() TodoList {
	out := TodoList{Session: b.Session, items: slices.Clone(b.items)}
	for i := range out.items {
		out.items[i].touched = false
	}
	return out
}

// Open returns the items that are to be done, in the order in which they
// appeared.
func (b *TodoList) Open() []string {
	var out []string
	for _, t := range b.items {
		if t.open {
			out = append(out, t.name)
		}
	}
	return out
}

// Read takes the calls of one more turn into account.
func (b *TodoList) Read(actions []claudecode.Action) {
	for _, a := range actions {
		if a.Failed || a.Refused {
			continue
		}
		switch a.Tool {
		case "TodoWrite":
			b.replaceItems(a.Input)
		case "TaskCreate":
			if id := created.FindStringSubmatch(a.Output); id != nil {
				b.recordTask(id[1], toolcall.Member(a.Input, "subject"), toolcall.Member(a.Input, "description"), "pending")
			}
		case "TaskUpdate":
			b.recordTask(toolcall.Member(a.Input, "taskId"), toolcall.Member(a.Input, "subject"), toolcall.Member(a.Input, "description"), toolcall.Member(a.Input, "status"))
		case "TaskList":
			for _, t := range listed.FindAllStringSubmatch(a.Output, -1) {
				b.recordTask(t[1], t[3], "", t[2])
			}
		}
	}
}

var (
	created = rule.Lazy(`^Task #(\w+) created`)
	listed  = rule.Lazy(`(?m)^#(\w+) \[(pending|in_progress|completed)\] (.+?)(?: \[blocked by [^\]]*\])?$`)
)

// replaceItems makes the list what a TodoWrite says it is. An item that is no
// longer on it was given up, or said in other words.
func (b *TodoList) replaceItems(input string) {
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
		if name := statements.GoalName(item.Content); name != "" {
			b.putItem(listedTask{subject: []string{"todo", subjectOf(name)}, name: name, open: stillOpen(item.Status), touched: true})
		}
	}
}

// recordTask records what a call says of one task. A task is known by its number, so
// that it can be closed in a turn that does not name it.
func (b *TodoList) recordTask(id, name, detail, status string) {
	if id == "" {
		return
	}
	t := listedTask{subject: []string{"task", b.Session, id}, name: statements.GoalName(name), detail: prose.Clip(prose.OneLine(clean.Text(detail)), statements.MaxGoal), open: stillOpen(status), touched: true}
	i := b.findItem(t.subject)
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
	b.putItem(t)
}

func (b *TodoList) putItem(t listedTask) {
	if i := b.findItem(t.subject); i >= 0 {
		b.items[i] = t
	} else {
		b.items = append(b.items, t)
	}
}

func (b *TodoList) findItem(subject []string) int {
	return slices.IndexFunc(b.items, func(t listedTask) bool { return slices.Equal(t.subject, subject) })
}

func stillOpen(status string) bool {
	switch status {
	case "completed", "cancelled", "canceled", "deleted":
		return false
	}
	return true
}

// subjectOf leaves of a goal's words what is the same however it is written.
func subjectOf(name string) string {
	return strings.Join(strings.FieldsFunc(strings.ToLower(name), prose.NotInName), " ")
}
