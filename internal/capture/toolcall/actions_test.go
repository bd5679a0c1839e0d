package toolcall

import (
	"testing"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
)

func TestActions(t *testing.T) {
	tests := []struct {
		name    string
		actions []claudecode.Action
		want    string
	}{
		{"nothing", nil, ""},
		{"read only", []claudecode.Action{{Tool: "Read", File: "/home/dev/app/a.go"}, {Tool: "Grep", Input: `{"pattern":"x"}`}}, "read a.go"},
		{"elsewhere", []claudecode.Action{edit("/etc/hosts"), edit("/home/dev/application/a")}, "edited /etc/hosts, /home/dev/application/a"},
		{"work tree", []claudecode.Action{edit("/home/dev/app/.worktrees/x/a.go"), edit("/home/dev/app/.claude/worktrees/y/b.go"), edit("/home/dev/wt/c.go")},
			"edited a.go, b.go, c.go"},
		{"Windows", []claudecode.Action{edit(`C:\src\a\b.go`)}, "edited C:/src/a/b.go"},
		{"refused edit", []claudecode.Action{{Tool: "Write", File: "/home/dev/app/a.go", Refused: true}}, ""},
		{"web and agents", []claudecode.Action{
			{Tool: "WebSearch", Input: `{"query":"go 1.26 synctest"}`}, {Tool: "WebFetch", Input: `{"url":"https://go.dev","prompt":"x"}`},
			{Tool: "Agent", Description: "Count files"}, {Tool: "Task", Description: "Count files"}, {Tool: "WebSearch", Input: `broken`},
		}, `looked up "go 1.26 synctest", "https://go.dev"; handed over "Count files"`},
		{"outcomes", []claudecode.Action{bash("make", true), bash("make", true), {Tool: "Bash", Command: "rm x", Refused: true}, bash("make", false), bash("npm i", true)},
			"ran `make` (failed, then passed), `rm x` (refused), `npm i` (failed)"},
		{"many outcomes", []claudecode.Action{bash("make", true), bash("make", false), bash("make", true), bash("make", false)},
			"ran `make` (failed, …, then passed)"},
		{"trimmed output", []claudecode.Action{bash("make 2>&1 | tail -5", true), bash("make | grep -E 'a|b'", false)}, "ran `make` (failed)"},
		{"only looks", []claudecode.Action{bash("cd x && ls | head", false), bash("git -C x log", true), bash("grep -E 'a|b' x", true), bash(`echo "a; make"`, false)}, ""},
		{"looks, then acts", []claudecode.Action{bash("ls && make", false)}, "ran `ls && make`"},
		{"comment and folders", []claudecode.Action{bash("# build it\ncd a\ncd b; make `x`", false)}, "ran `make 'x'`"},
		{"no such folder", []claudecode.Action{{Tool: "Bash", Command: "cd app && npm i", Failed: true, Output: "(eval):cd:1: no such file or directory: app"}, bash("npm t", true)},
			"ran `npm t` (failed)"},
		{"here-document", []claudecode.Action{bash("python3 - <<'EOF'\nprint(1)\nEOF", false)}, "ran `python3 - <<…`"},
		{"lines", []claudecode.Action{bash("make \\\n  all", false)}, "ran `make \\ …`"},
		{"what failed goes first", []claudecode.Action{
			bash("a1 x", true), bash("b2 x", false), bash("c3 x", false), bash("d4 x", false), bash("e5 x", false), bash("f6 x", false), bash("g7 x", false),
		}, "ran `a1 x` (failed), `c3 x`, `d4 x`, `e5 x`, `f6 x`, `g7 x`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := ReadActions(tt.actions, NewPaths(app, "/home/dev/wt"))
			if got := d.String(); got != tt.want {
				t.Errorf("deeds = %s\nwant    %s", got, tt.want)
			}
		})
	}
}

var app = memory.Project{Name: "app", Path: "/home/dev/app", Remote: "example.org/dev/app"}

func bash(command string, failed bool) claudecode.Action {
	return claudecode.Action{Tool: "Bash", Command: command, Failed: failed}
}

func edit(file string) claudecode.Action { return claudecode.Action{Tool: "Edit", File: file} }
