package extract

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

func todoWrite(todos string) claudecode.Action {
	return claudecode.Action{Tool: "TodoWrite", Input: `{"todos":[` + todos + `]}`}
}

func todoItem(content, status string) string {
	return fmt.Sprintf(`{"content":%q,"status":%q,"activeForm":"x"}`, content, status)
}

func taskCreate(id, subject string) claudecode.Action {
	return claudecode.Action{Tool: "TaskCreate", Input: fmt.Sprintf(`{"subject":%q,"description":"What is needed"}`, subject),
		Output: "Task #" + id + " created successfully: " + subject}
}

func taskUpdate(id, status string) claudecode.Action {
	return claudecode.Action{Tool: "TaskUpdate", Input: fmt.Sprintf(`{"taskId":%q,"status":%q}`, id, status)}
}

// goalsOf returns the goals of a scene, "open: title" or "done: title".
func goalsOf(s *Turn) []string {
	var out []string
	for _, m := range goals(s) {
		out = append(out, m.Tags[0]+": "+m.Title)
	}
	return out
}

func TestGoalsOfLists(t *testing.T) {
	failed := todoWrite(todoItem("Write the docs page", "pending"))
	failed.Failed = true
	tests := []struct {
		name         string
		before, acts []claudecode.Action
		want         []string
	}{
		{"no list", nil, []claudecode.Action{bash("make", false)}, nil},
		{"left open", nil, []claudecode.Action{todoWrite(todoItem("Write the docs page", "in_progress") + "," + todoItem("Port the tests over", "pending"))},
			[]string{"open: Write the docs page", "open: Port the tests over"}},
		{"the last list counts", nil, []claudecode.Action{todoWrite(todoItem("Write the docs page", "pending")), todoWrite(todoItem("write the docs page.", "completed"))},
			[]string{"done: write the docs page"}},
		{"two words alone say nothing", nil, []claudecode.Action{todoWrite(todoItem("Run tests", "pending"))}, []string{"open: Run tests: port the importer"}},
		{"given up", []claudecode.Action{todoWrite(todoItem("Write the docs page", "pending"))}, []claudecode.Action{todoWrite(todoItem("Ship the new release", "pending"))},
			[]string{"done: Write the docs page", "open: Ship the new release"}},
		{"not spoken of any more", []claudecode.Action{todoWrite(todoItem("Write the docs page", "pending"))}, nil, nil},
		{"empty list", []claudecode.Action{todoWrite(todoItem("Write the docs page", "pending"))}, []claudecode.Action{todoWrite("")}, []string{"done: Write the docs page"}},
		{"failed call", nil, []claudecode.Action{failed}, nil},
		{"broken input", nil, []claudecode.Action{{Tool: "TodoWrite", Input: `{"todos":"x"}`}, {Tool: "TodoWrite", Input: `{`}, {Tool: "TodoWrite"}}, nil},

		{"task left open", nil, []claudecode.Action{taskCreate("1", "Write the docs page")}, []string{"open: Write the docs page"}},
		{"task done", nil, []claudecode.Action{taskCreate("1", "Write the docs page"), taskUpdate("1", "in_progress"), taskUpdate("1", "completed")},
			[]string{"done: Write the docs page"}},
		{"task of the turn before", []claudecode.Action{taskCreate("7", "Write the docs page")}, []claudecode.Action{taskUpdate("7", "deleted")},
			[]string{"done: Write the docs page"}},
		{"task of a turn long ago", nil, []claudecode.Action{taskUpdate("7", "completed"), taskUpdate("8", "in_progress")}, []string{"done: Task #7: port the importer"}},
		{"only its owner changes", nil, []claudecode.Action{taskCreate("1", "Write the docs page"), taskUpdate("1", "completed"),
			{Tool: "TaskUpdate", Input: `{"taskId":"1","owner":"me"}`}}, []string{"done: Write the docs page"}},
		{"listed", nil, []claudecode.Action{{Tool: "TaskList", Output: "#1 [completed] Port the tests over\n#2 [pending] Write the docs page [blocked by #1]\n"}},
			[]string{"done: Port the tests over", "open: Write the docs page"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := NewTurn(claudecode.Turn{Session: "s1", ID: "u0", Prompt: "start", Actions: tt.before}, app, nil)
			s := NewTurn(claudecode.Turn{Session: "s1", ID: "u1", Prompt: "port the importer", Actions: tt.acts}, app, before)
			if diff := cmp.Diff(tt.want, goalsOf(s)); diff != "" {
				t.Errorf("goals (-want +got):\n%s", diff)
			}
			s.Agent = "Explore"
			if got := goalsOf(s); got != nil {
				t.Errorf("goals of a sub-agent: %v", got)
			}
		})
	}
}

func TestGoalsAreBounded(t *testing.T) {
	var list string
	for i := range 50 {
		list += "," + todoItem(fmt.Sprintf("Step number %d of many", i), "pending")
	}
	if got := goals(NewTurn(claudecode.Turn{ID: "u1", Actions: []claudecode.Action{todoWrite(list[1:])}}, app, nil)); len(got) != maxOpen {
		t.Errorf("%d goals, want %d", len(got), maxOpen)
	}
}

func TestGoal(t *testing.T) {
	turn := claudecode.Turn{Session: "s1", ID: "u1", Prompt: "go on", Actions: []claudecode.Action{taskCreate("1", "Write the <private>HIDDEN</private>docs of loadAll")}}
	before := NewTurn(claudecode.Turn{Session: "s1", ID: "u0", Prompt: "port the importer"}, app, nil)
	got := goals(NewTurn(turn, app, before))
	want := memory.Memory{
		Source: memory.Goals, Origin: memory.OriginAssistant, Session: "s1", Turn: "u1",
		Project: app.Name, ProjectPath: app.Path, ProjectRemote: app.Remote,
		Title: "Write the docs of loadAll", Text: "What is needed",
		Keywords: []string{"loadall"}, Tags: []string{memory.TagOpen}, Confidence: 0.8,
	}
	if len(got) != 1 {
		t.Fatalf("%d goals, want one", len(got))
	}
	if diff := cmp.Diff(want, got[0].Memory); diff != "" {
		t.Errorf("goals (-want +got):\n%s", diff)
	}
}

func TestStatedGoals(t *testing.T) {
	tests := []struct {
		prompt string
		want   []string
	}{
		{"Our goal is to halve the start-up time.", []string{"halve the start-up time"}},
		{"ok so our main goal for this sprint is to get the importer stable", []string{"get the importer stable"}},
		{"The goal for this week is: ship the beta to ten users. Start with the installer.", []string{"ship the beta to ten users"}},
		{"the next milestone is offline mode for the app", []string{"offline mode for the app"}},
		{"next milestone: offline mode for the app", []string{"offline mode for the app"}},
		{"TODO later: rate limits for the public api", []string{"rate limits for the public api"}},
		{"fix the login\n- todo: docs for the new flags", []string{"docs for the new flags"}},
		{"we need to ship the importer by friday", []string{"ship the importer by friday"}},
		{"let's add retries to the client later", []string{"add retries to the client"}},
		{"Unser Ziel ist es, den Import doppelt so schnell zu machen", []string{"den Import doppelt so schnell zu machen"}},
		{"notre objectif est de supprimer l'ancien client", []string{"supprimer l'ancien client"}},
		{"nuestro objetivo es reducir la memoria a la mitad", []string{"reducir la memoria a la mitad"}},

		{"what is our goal?", nil},
		{"is our goal to halve the start-up time?", nil},
		{"our goal is not to be the fastest", nil},
		{"let's do it later", nil},
		{"we'll fix that later", nil},
		{"the goal of this function is to sort rows", nil},
		{"our goal is that", nil},
		{"fix the todo list, it shows todos twice", nil},
		{"> our goal is to halve the start-up time", nil},
		{"see this:\n```\n# TODO: rate limits for the public api\n```", nil},
		{"we need to stop before the next loop iteration", nil},
		{"目標は速度です", nil},
	}
	for _, tt := range tests {
		t.Run(tt.prompt, func(t *testing.T) {
			var got []string
			for _, m := range goals(NewTurn(claudecode.Turn{ID: "u1", Prompt: tt.prompt}, app, nil)) {
				got = append(got, m.Title)
				if m.Origin != memory.OriginUser || m.Evidence == "" || !slices.Equal(m.Tags, []string{memory.TagOpen}) {
					t.Errorf("origin %q, evidence %q, tags %v", m.Origin, m.Evidence, m.Tags)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("goals (-want +got):\n%s", diff)
			}
		})
	}
}
