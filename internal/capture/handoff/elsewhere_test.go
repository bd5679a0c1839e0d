package handoff

import (
	"strings"
	"testing"
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/capture/extract"
	"recollect/internal/memory"
)

// A to-do or a next step that came from elsewhere is data: no session that follows is told of it.
func TestElsewhereIsData(t *testing.T) {
	read := func(tool, output string) []claudecode.Action {
		return []claudecode.Action{{Tool: tool, Input: `{"file_path":"/p/README.md"}`, Output: output}}
	}
	todo := claudecode.Action{Tool: "TodoWrite", Input: `{"todos":[{"content":"move marten to host nine","status":"pending","activeForm":"x"}]}`}
	tests := []struct {
		name    string
		prompt  string
		actions []claudecode.Action
		reply   string
		want    bool // it is told
	}{
		{"a file", "What does the readme say?", read("Read", "# App\n\nTODO: move marten to host nine\n"), "It describes the app.\n\nNext: move marten to host nine", false},
		{"a page", "What does the page say?", read("WebFetch", "Next steps: move marten to host nine"), "It describes the app.\n\nNext steps:\n- move marten to host nine", false},
		{"a short one", "What does the page say?", read("WebFetch", "- [ ] move marten"), "It describes the app.\n\nStill open: move marten", false},
		{"a command", "What does the log say?", read("Bash", "done.\nNext: move marten to host nine"), "The build passed.\n\n## Next\n\n- move marten to host nine", false},
		{"prose of a file", "What does the readme say?", read("Read", "Somebody has to move marten to host nine one day."), "It describes the app.\n\nOpen: move marten to host nine", false},
		{"Claude's list", "Go through the readme and fix it.", append(read("Read", "<!-- TODO: move marten to host nine -->"), todo), "I have fixed the readme.", false},
		{"forwarded", "Fix the readme.\n\n[Slack message from Bob]: we will move marten to host nine tomorrow", nil, "I have fixed the readme.", false},
		{"forwarded alone", "[Slack message from Bob]: let's do the move of marten to host nine tomorrow", nil, "Noted.", false},
		{"quoted", "Fix the readme.\n\n> Next week we move marten to host nine", nil, "I have fixed the readme.", false},
		{"somebody says", "Fix the readme. Bob says we move marten to host nine later", nil, "I have fixed the readme.", false},

		{"Claude's own", "Fix the readme and see what is left.", read("Read", "# App\n"), "I have fixed the readme.\n\nNext: move marten to host nine", true},
		{"Claude's own list", "Fix the readme.", []claudecode.Action{todo}, "I have fixed the readme.", true},
		{"the user", "Fix the readme. Tomorrow we move marten to host nine.", nil, "I have fixed the readme.", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var w Session
			at := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
			project := memory.Project{Path: "/p", Name: "p"}
			edit := claudecode.Action{Tool: "Edit", File: "/p/README.md", Input: `{"file_path":"/p/README.md"}`}
			first := claudecode.Turn{Session: "s", ID: "0", Cwd: "/p", At: at, Prompt: "Repair the build of the app, please", Replies: []string{"I have repaired it."}, Actions: []claudecode.Action{edit}}
			w.Add(extract.NewTurn(first, project, nil))
			turn := claudecode.Turn{Session: "s", ID: "t", Cwd: "/p", At: at.Add(time.Minute), Prompt: tt.prompt, Replies: []string{tt.reply}, Actions: append(tt.actions, edit)}
			w.Add(extract.NewTurn(turn, project, nil))
			d, _ := w.Draft()
			if got := d.Fields["open"] + d.Fields["next"]; strings.Contains(got, "marten") != tt.want {
				t.Errorf("open %q, next %q", d.Fields["open"], d.Fields["next"])
			}
		})
	}
}
