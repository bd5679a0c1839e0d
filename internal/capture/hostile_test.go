package capture

import (
	"fmt"
	"strings"
	"testing"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/extract"
	"recollect/internal/capture/handoff"
	"recollect/internal/memory"
)

// shells returns n commands and how each came out.
func shells(n int, command, output string, failed bool) []claudecode.Action {
	out := make([]claudecode.Action, n)
	for i := range out {
		number := fmt.Sprint(i)
		out[i] = claudecode.Action{
			Tool: "Bash", Failed: failed,
			Command: strings.ReplaceAll(command, "#", number), Output: strings.ReplaceAll(output, "#", number),
		}
	}
	return out
}

// A turn may be as large as its author likes. These take seconds where the
// time grows with the size, and hours where it grows with its square.
func TestHugeTurns(t *testing.T) {
	if testing.Short() {
		t.Skip("takes 8 s")
	}
	const many, more, most = 2_000, 20_000, 30_000
	edits := make([]claudecode.Action, many)
	tasks := make([]claudecode.Action, many)
	for i := range edits {
		edits[i] = claudecode.Action{Tool: "Edit", File: fmt.Sprintf("/app/file%d.go", i), Input: `{"old_string":"a","new_string":"b"}`}
		tasks[i] = claudecode.Action{Tool: "TaskCreate", Input: fmt.Sprintf(`{"subject":"write part %d"}`, i), Output: fmt.Sprintf("Task #%d created", i)}
	}
	tests := []struct {
		name string
		turn claudecode.Turn
	}{
		{"lines that announce", claudecode.Turn{Prompt: strings.Repeat("and then:\n", most)}},
		{"sentences", claudecode.Turn{Prompt: strings.Repeat("We always use tabs. ", more)}},
		{"tags", claudecode.Turn{Prompt: strings.Repeat("<private><memory-data a='1'>", many)}},
		{"reply of headings", claudecode.Turn{Prompt: "write the parser", Replies: []string{strings.Repeat("## Next steps:\n- run it\n", many)}}},
		{"reasoning", claudecode.Turn{Prompt: "write the parser", Thinking: []string{strings.Repeat("The problem is that parseAll is called twice. ", many)}}},
		{"edits", claudecode.Turn{Prompt: "write the parser", Actions: edits}},
		{"path", claudecode.Turn{Prompt: "write the parser", Actions: []claudecode.Action{{Tool: "Edit", File: strings.Repeat("/a", most)}, {Tool: "Bash", Command: "make"}}}},
		{"tasks", claudecode.Turn{Prompt: "write the parser", Actions: tasks}},
		{"one failure again and again", claudecode.Turn{Prompt: "write the parser", Actions: shells(many, "make all", "main.c:#: error: no type#", true)}},
		{"many failures", claudecode.Turn{Prompt: "write the parser", Actions: append(shells(many, "make part#", "make: gcc#: command not found", true), edits...)}},
		{"commits", claudecode.Turn{Prompt: "write the parser", Actions: shells(many, `git commit -m "Store part # in a file"`, "[main 1a2b3c4] Store part # in a file", false)}},
		{"messages of a commit", claudecode.Turn{Prompt: "write the parser", Actions: shells(10, "git commit"+strings.Repeat(" -m a", 3000), "[main 1a2b3c4] a", false)}},
		{"pipes", claudecode.Turn{Prompt: "write the parser", Actions: shells(30, "make"+strings.Repeat(" | cat", 3000), "error: no", false)}},
		{"operands", claudecode.Turn{Prompt: "write the parser", Actions: shells(20, "pytest"+strings.Repeat(" test#.py", 2000), "E   ValueError: #", true)}},
	}
	home := memory.Project{Name: "app", Path: "/app"}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tt.turn.ID, tt.turn.Session = "t1", "s1"
			got := extract.DraftsOf([]claudecode.Turn{tt.turn, tt.turn}, home)
			if len(got) == 0 && tt.turn.Actions != nil {
				t.Error("nothing was extracted")
			}
			for _, m := range got {
				if err := m.Normalize(); err != nil || len(fmt.Sprint(m)) > 2*memory.MaxText {
					t.Errorf("a memory of %d bytes, %v", len(fmt.Sprint(m)), err)
				}
			}
			var all handoff.Session
			for range 2 {
				all.Add(extract.NewTurn(tt.turn, home, nil))
			}
			all.Draft()
		})
	}
}
