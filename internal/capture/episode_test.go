package capture

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/claudecode"
	"recollect/internal/memory"
)

var app = memory.Project{Name: "app", Path: "/home/dev/app", Remote: "example.org/dev/app"}

func bash(command string, failed bool) claudecode.Action {
	return claudecode.Action{Tool: "Bash", Command: command, Failed: failed}
}

func edit(file string) claudecode.Action { return claudecode.Action{Tool: "Edit", File: file} }

// episodeOf returns the episode of a turn, if it makes one.
func episodeOf(turn claudecode.Turn, home memory.Project) (memory.Memory, bool) {
	for _, m := range episodes(newScene(turn, home, nil)) {
		return m, m.Normalize() == nil
	}
	return memory.Memory{}, false
}

func TestEpisode(t *testing.T) {
	turn := claudecode.Turn{
		Session: "s1", ID: "u1", Cwd: "/home/dev/app",
		Prompt: "the api client gives up on 502, make it retry\n\nthree times at most",
		At:     time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC),
		Actions: []claudecode.Action{
			{Tool: "Read", File: "/home/dev/app/internal/api/client.go"},
			{Tool: "Read", File: "/home/dev/app/go.mod"},
			edit("/home/dev/app/internal/api/client.go"),
			edit("/home/dev/app/scripts/deploy.sh"),
			{Tool: "Edit", File: "/home/dev/app/other.go", Failed: true},
			{Tool: "Bash", Command: "go test ./...", Failed: true, Output: "panic\nclient_test.go:9: errTooMany: E0611"},
			bash("cd /home/dev/app && go test ./...", false),
			bash("ls -la", false),
			bash(`git add -A && git commit -m "api: retry on 502`+"\n\nlong story\"", false),
			bash("git push", false),
		},
		Replies: []string{"I look.", "The client retries now.\n\n```go\nfor range maxRetries {\n```\n\n- `maxRetries` is 3\n- backoff doubles"},
	}
	want := memory.Memory{
		V: 1, Source: memory.Episodes, Origin: memory.OriginAssistant,
		Project: "app", ProjectPath: "/home/dev/app", ProjectRemote: "example.org/dev/app",
		Title: "the api client gives up on 502, make it retry",
		Text: "Asked: the api client gives up on 502, make it retry\n\nthree times at most\n" +
			"Did: edited internal/api/client.go, scripts/deploy.sh; ran `go test ./...` (failed, then passed), `git push`; " +
			"committed \"api: retry on 502\"\n" +
			"Outcome: The client retries now.\n- `maxRetries` is 3\n- backoff doubles",
		Keywords: []string{"maxretries", "client_test", "errtoomany", "e0611"},
		Files:    []string{"internal/api/client.go", "scripts/deploy.sh", "go.mod"},
		Session:  "s1", Turn: "u1", OccurredAt: turn.At,
	}
	got, ok := episodeOf(turn, app)
	if !ok {
		t.Fatal("Episode: not kept")
	}
	want.ContentHash, want.ID = got.ContentHash, got.ID
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Episode (-want +got):\n%s", diff)
	}
	again, _ := episodeOf(turn, app)
	turn.Replies, turn.Actions = append(turn.Replies, "And the documentation follows now, in a page of its own."), nil
	grown, _ := episodeOf(turn, app)
	if diff := cmp.Diff(got, again); diff != "" || grown.ID != got.ID {
		t.Errorf("id %s of the grown turn, want %s; second time (-want +got):\n%s", grown.ID, got.ID, diff)
	}
}

func TestEpisodeIsKept(t *testing.T) {
	long := strings.Repeat("The index is rebuilt at start. ", 10)
	acted := []claudecode.Action{edit("/home/dev/app/x.go")}
	tests := []struct {
		name    string
		prompt  string
		actions []claudecode.Action
		reply   string
		want    bool
	}{
		{"question and answer", "why is the build slow?", nil, "The cache is off.", true},
		{"short answer", "is the cache on?", nil, "No, it is off.", true},
		{"no answer yet", "why is the build slow?", nil, "", false},
		{"filler", "yes", nil, "Great!", false},
		{"fillers", "OK, go on please!", nil, "Working on it.", false},
		{"letter", "A", nil, "Noted.", false},
		{"filler with a long answer", "continue", nil, long, true},
		{"filler with a deed", "do it", acted, "", true},
		{"greeting", "hello", nil, "Hello! How can I help?", false},
		{"answer is filler", "fix the build", nil, "OK!", false},
		{"only a look around", "continue", []claudecode.Action{bash("ls; git status", false)}, "Fine.", false},
		{"command", "/compact", acted, long, false},
		{"notification", "<task-notification>x</task-notification>", acted, long, false},
		{"our own prompt", "[RECOLLECT_INTERNAL] extract", acted, long, false},
		{"all of it private", "<private>fix it</private>", acted, long, false},
		{"our own text alone", `<memory-data source="recollect">x</memory-data>`, acted, long, false},
		{"Japanese", "修正して", nil, "直しました。テストも通ります。", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			turn := claudecode.Turn{ID: "u1", Prompt: tt.prompt, Actions: tt.actions, Replies: []string{tt.reply}}
			if m, got := episodeOf(turn, app); got != tt.want {
				t.Errorf("Episode = %v, want %v:\n%s", got, tt.want, m.Text)
			}
		})
	}
}

func TestEpisodeBounds(t *testing.T) {
	turn := claudecode.Turn{ID: "u1", Prompt: "first " + strings.Repeat("é middle ", 9_000) + " last", Cwd: "/home/dev/app"}
	for i := range 50 {
		turn.Actions = append(turn.Actions, edit(fmt.Sprintf("/home/dev/app/file%d.go", i)),
			bash(fmt.Sprintf("make target%d %s", i, strings.Repeat("x", 300)), false),
			bash(fmt.Sprintf("git commit -m 'step %d'", i), false))
	}
	turn.Replies = []string{strings.Repeat("A sentence of some length. ", 900) + "\n\n" + strings.Repeat("- an item\n", 900)}
	m, ok := episodeOf(turn, app)
	if !ok || len(m.Text) > 4_000 {
		t.Errorf("Episode: %v, text of %d bytes", ok, len(m.Text))
	}
	if len(m.Files) != maxFiles || strings.Count(m.Text, "`make") != maxCommands || strings.Count(m.Text, "step") != maxCommits {
		t.Errorf("%d files, %d commands, %d commits in\n%s", len(m.Files), strings.Count(m.Text, "`make"), strings.Count(m.Text, "step"), m.Text)
	}
	for _, want := range []string{"Asked: first é", " … ", " last\n", "file7.go, 42 more", `"step 2", 47 more`} {
		if !strings.Contains(m.Text, want) {
			t.Errorf("text does not contain %q:\n%s", want, m.Text)
		}
	}
	for line := range strings.Lines(m.Text) {
		if strings.HasPrefix(line, "Outcome") && len(line) > 400 {
			t.Errorf("line of %d bytes: %s", len(line), line)
		}
	}
}

func TestEpisodeCleans(t *testing.T) {
	echo := `<memory-data source="recollect">` + "\n[pattern] ECHO\n</memory-data>"
	turn := claudecode.Turn{
		ID: "u1", Prompt: "deploy with <private>HIDDEN</private>care\x00\n" + echo,
		Actions: []claudecode.Action{bash("deploy <private>HIDDEN</private> \x1b[1mnow", false), edit("/home/dev/app/<private>HIDDEN</private>x.go")},
		Replies: []string{"Deployed as the notes say.\n\n" + echo + "\n\nWith \xffcare <private>HIDDEN and that is all there is to say about it."},
		Agent:   "Explore", Sidechain: true,
	}
	m, ok := episodeOf(turn, app)
	want := "Asked: deploy with care\nDid: edited x.go; ran `deploy now`\nOutcome: Deployed as the notes say.\nWith \uFFFDcare"
	if diff := cmp.Diff(want, m.Text); !ok || diff != "" {
		t.Errorf("text (-want +got):\n%s", diff)
	}
	if m.Agent != "Explore" || m.Title != "deploy with care" {
		t.Errorf("agent %q, title %q", m.Agent, m.Title)
	}
}

func TestDeeds(t *testing.T) {
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
		{"here-document", []claudecode.Action{bash("python3 - <<'EOF'\nprint(1)\nEOF", false)}, "ran `python3 - <<…`"},
		{"lines", []claudecode.Action{bash("make \\\n  all", false)}, "ran `make \\ …`"},
		{"what failed goes first", []claudecode.Action{
			bash("a1 x", true), bash("b2 x", false), bash("c3 x", false), bash("d4 x", false), bash("e5 x", false), bash("f6 x", false), bash("g7 x", false),
		}, "ran `a1 x` (failed), `c3 x`, `d4 x`, `e5 x`, `f6 x`, `g7 x`"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			d := readDeeds(tt.actions, newProject(app, "/home/dev/wt"))
			if got := d.String(); got != tt.want {
				t.Errorf("deeds = %s\nwant    %s", got, tt.want)
			}
		})
	}
}

func TestCommitMessage(t *testing.T) {
	tests := []struct {
		name, command, want string
	}{
		{"quoted", `git commit -m "api: retry \"all\""`, `api: retry "all"`},
		{"single quotes", `git add . && git commit -am 'fix: x' && git push`, "fix: x"},
		{"word", `git commit --message=wip -q`, "wip"},
		{"several lines", "git commit -m \"first\n\nmore\"", "first"},
		{"here-document", "git commit -m \"$(cat <<'EOF'\nfix: parse\n\nmore\nEOF\n)\"", "fix: parse"},
		{"from stdin", "git commit -F - <<EOF\nfix: stdin\nEOF", "fix: stdin"},
		{"other folder", `git -C /home/dev/app commit -m "x: y"`, "x: y"},
		{"amend", "git commit --amend --no-edit", ""},
		{"no commit", `echo "-m x"`, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := commitMessage(tt.command); got != tt.want {
				t.Errorf("commitMessage(%q) = %q, want %q", tt.command, got, tt.want)
			}
		})
	}
}

func TestGist(t *testing.T) {
	tests := []struct {
		name, reply, want string
	}{
		{"sentence", "Done.", "Done."},
		{"code", "Do this:\n```sh\nrm -rf x\n```\nThen that.\n~~~\ny\n~~~", "Do this:\nThen that."},
		{"code not closed", "Do this:\n```\nrm", "Do this:"},
		{"marks", "**Fixed** it.\n\n---\n\n## Why\nIt was **late**.", "Fixed it.\nWhy\nIt was late."},
		{"headings without text", "Fixed.\n\n## Summary\n\n## Code\n```\nx\n```", "Fixed."},
		{
			"long prose gives way to lists", "Fixed it.\n\n" + strings.Repeat("Long story. ", 60) + "\n\n" + strings.Repeat("More of it. ", 60) +
				"\n\n1. first\n2) second\n* third\n\nAll tests pass.",
			"Fixed it.\n" + clip(strings.Repeat("Long story. ", 60), maxLine) + "\n" + clip(strings.Repeat("More of it. ", 60), maxLine) +
				"\n1. first\n2) second\n* third\nAll tests pass.",
		},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := gist(tt.reply)
			if diff := cmp.Diff(tt.want, got); diff != "" || len(got) > maxOutcome {
				t.Errorf("gist of %d bytes (-want +got):\n%s", len(got), diff)
			}
		})
	}
}

func TestFinal(t *testing.T) {
	story := "The client retries three times now, and the tests pass again."
	tests := []struct {
		name    string
		replies []string
		want    string
	}{
		{"none", nil, ""},
		{"last", []string{"I look.", story}, story},
		{"last word after the story", []string{story, "Done."}, story},
		{"two last words", []string{story, "Wait.", "Done."}, "Done."},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := final(tt.replies); got != tt.want {
				t.Errorf("final = %q, want %q", got, tt.want)
			}
		})
	}
}

func TestKeywords(t *testing.T) {
	got := keywords("Why does read_all call parseFile twice? See ParseFile, MAX_SIZE and TS2345.", "HTTP, API and Go are no names, nor is a1 or 2026_02.")
	if diff := cmp.Diff([]string{"parsefile", "read_all", "max_size", "ts2345"}, got); diff != "" {
		t.Errorf("keywords (-want +got):\n%s", diff)
	}
}

func TestTitle(t *testing.T) {
	tests := []struct{ name, asked, want string }{
		{"first line", "fix the build\nit is red", "fix the build"},
		{"announcement", "Fix this bug:\n\n  pool: exhausted at noon\nmore", "Fix this bug: pool: exhausted at noon"},
		{"announcements only", "Fix:\nthis:", "Fix: this:"},
		{"empty first line", "\nfix it", "fix it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := title(tt.asked); got != tt.want {
				t.Errorf("title(%q) = %q, want %q", tt.asked, got, tt.want)
			}
		})
	}
}
