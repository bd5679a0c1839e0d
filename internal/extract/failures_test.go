package extract

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/claudecode"
	"recollect/internal/consolidate"
	"recollect/internal/memory"
)

func fails(command, output string) claudecode.Action {
	return claudecode.Action{Tool: "Bash", Command: command, Output: "Exit code 1\n" + output, Failed: true}
}

func passes(command string) claudecode.Action {
	return claudecode.Action{Tool: "Bash", Command: command, Output: "ok"}
}

func change(file, old, new string) claudecode.Action {
	return claudecode.Action{Tool: "Edit", File: "/home/dev/app/" + file, Input: `{"old_string":"` + old + `","new_string":"` + new + `"}`}
}

func turnOf(actions ...claudecode.Action) claudecode.Turn {
	return claudecode.Turn{
		Session: "s1", ID: "u1", Cwd: "/home/dev/app", Prompt: "make the tests pass", Actions: actions,
		At: time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC),
	}
}

// asLines shows failures as "title => fix (confidence in tenths)".
func asLines(ms []memory.Draft) []string {
	var out []string
	for _, m := range ms {
		out = append(out, strings.TrimSpace(m.Title+" => "+m.Fields["fix"])+" "+[]string{4: "?", 6: "likely", 9: "sure"}[int(10*m.Confidence+0.5)])
	}
	return out
}

func TestFailures(t *testing.T) {
	const traceback = "Traceback (most recent call last):\n  File \"/home/dev/app/run.py\", line 3, in <module>\n    import yaml\n"
	tests := []struct {
		name    string
		actions []claudecode.Action
		want    []string
	}{
		{"a package is installed",
			[]claudecode.Action{fails("python run.py", traceback+"ModuleNotFoundError: No module named 'yaml'"), passes("pip install pyyaml"), passes("python run.py")},
			[]string{"`python run.py` fails: ModuleNotFoundError: No module named 'yaml' => ran `pip install pyyaml` sure"}},
		{"another interpreter",
			[]claudecode.Action{fails("python -m pytest tests", "/usr/bin/python: No module named pytest"), passes("python3 -m pytest tests")},
			[]string{"`python -m pytest tests` fails: /usr/bin/python: No module named pytest => `python3 -m pytest tests` works sure"}},
		{"an edit",
			[]claudecode.Action{fails("npm run build", "> build\n> tsc\n\nsrc/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'."), change("src/a.ts", "let n: number", `let n: string`), passes("npm run build")},
			[]string{"`npm run build` fails: src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'. => edited src/a.ts: `let n: string` sure"}},
		{"a failing test that an edit mends",
			[]claudecode.Action{fails("go test ./...", "--- FAIL: TestSum (0.00s)\n    sum_test.go:9: got 3, want 4\nFAIL"), change("sum.go", "return a", "return a + b"), passes("go test ./...")},
			[]string{"`go test ./...` fails: sum_test.go:9: got 3, want 4 => edited sum.go: `return a + b` sure"}},
		{"a failing test that nothing is done about",
			[]claudecode.Action{fails("go test ./...", "--- FAIL: TestSum (0.00s)\n    sum_test.go:9: got 3, want 4\nFAIL")}, nil},
		{"an environment variable",
			[]claudecode.Action{fails("./deploy.sh staging", "deploying\n./deploy.sh: line 5: IMAGE_TAG: unbound variable"), passes("IMAGE_TAG=v1 ./deploy.sh staging")},
			[]string{"`./deploy.sh staging` fails: ./deploy.sh: line 5: IMAGE_TAG: unbound variable => `IMAGE_TAG=v1 ./deploy.sh staging` works sure"}},
		{"a filter hides whether it passed",
			[]claudecode.Action{fails("make", "main.c:3:5: error: unknown type name 'sizet'"), change("main.c", "sizet n;", "size_t n;"), passes("make | tail -3")},
			[]string{"`make` fails: main.c:3:5: error: unknown type name 'sizet' => edited main.c: `size_t n;` likely"}},
		{"still missing at the end",
			[]claudecode.Action{fails("docker compose up", "Cannot connect to the Docker daemon. Is the docker daemon running?")},
			[]string{"`docker compose up` fails: Cannot connect to the Docker daemon. Is the docker daemon running? => ?"}},
		{"a server that does not end",
			[]claudecode.Action{{Tool: "Bash", Command: "npm run dev", Output: "Command timed out after 2m 0.0s", Failed: true}, {Tool: "Bash", Command: "npm run dev", Output: "Command running in background with ID: b1"}},
			[]string{"`npm run dev` fails: Command timed out after 2m 0.0s => it runs on and has to be started in the background likely"}},
		{"a script of the moment",
			[]claudecode.Action{{Tool: "Write", File: "/home/dev/app/try.py"}, fails("python3 try.py", traceback+"NameError: name 'x' is not defined"), change("try.py", "x", "y = 1"), passes("python3 try.py")}, nil},
		{"no match of grep", []claudecode.Action{fails("grep -r foo src", "")}, nil},
		{"a wrong path", []claudecode.Action{fails("python3 tests/run.py", "python3: can't open file 'tests/run.py': [Errno 2] No such file or directory")}, nil},
		{"refused", []claudecode.Action{{Tool: "Bash", Command: "make", Output: "error: no", Refused: true}}, nil},
		{"interrupted", []claudecode.Action{fails("make", "error: something\n[Request interrupted by user for tool use]")}, nil},
		{"a slip of an edit", []claudecode.Action{{Tool: "Edit", File: "/home/dev/app/a.go", Failed: true, Output: "String to replace not found in file."}}, nil},
		{"it passes by itself",
			[]claudecode.Action{fails("npm test", "Error: socket hang up"), passes("npm test")}, nil},
		{"a server's tool",
			[]claudecode.Action{{Tool: "mcp__db__query", Failed: true, Output: "connection refused: localhost:5432"}, passes("docker start db"), {Tool: "mcp__db__query", Output: "1"}},
			[]string{"`mcp__db__query` fails: connection refused: localhost:5432 => ran `docker start db` sure"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := asLines(failures(NewScene(turnOf(tt.actions...), app, nil)))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFailureOfTheTurnBefore(t *testing.T) {
	first := turnOf(fails("npm run build", "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'."))
	second := turnOf(change("src/a.ts", "let n: number", "let n: string"), passes("npm run build"))
	second.ID, second.At = "u2", first.At.Add(time.Minute)
	before := NewScene(first, app, nil)
	left := failures(before)
	fixed := failures(NewScene(second, app, before))
	if len(left) != 1 || len(fixed) != 1 {
		t.Fatalf("got %d and %d failures, want one each", len(left), len(fixed))
	}
	if !left[0].SameSubject(&fixed[0]) {
		t.Error("the fix came to another memory than the failure")
	}
	if fixed[0].Turn != "u2" || !fixed[0].OccurredAt.Equal(first.At) {
		t.Errorf("got turn %s at %s, want u2 at the time of the failure", fixed[0].Turn, fixed[0].OccurredAt)
	}
	both := consolidate.Confirm(left[0].Memory, fixed[0].Memory, false)
	if both.Fields["fix"] != "edited src/a.ts: `let n: string`" || both.Confidence <= left[0].Confidence {
		t.Errorf("got fix %q, confidence %.2f", both.Fields["fix"], both.Confidence)
	}
	if _, ok := PatternOf(left[0].Memory, fixed[0].Memory); ok {
		t.Error("one failure with its fix is no pattern")
	}
}

// A failure lists files by their paths, whatever stands behind them.
func TestFailureFiles(t *testing.T) {
	tests := []struct {
		name, error, edited string
		want                []string
	}{
		{"a colon", "scripts/deploy.sh: line 7: vault: command not found", "scripts/deploy.sh", []string{"scripts/deploy.sh"}},
		{"a line", "src/total.go:12:5: undefined: Sum", "src/sum.go", []string{"src/sum.go", "src/total.go"}},
		{"the end of a sentence", "error: cannot parse config/app.toml.", "config/app.toml", []string{"config/app.toml"}},
		{"an address", "error: https://example.com/a.json: status code 403", "fetch.sh", []string{"fetch.sh"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			turn := turnOf(fails("make ship", tt.error), change(tt.edited, "a", "b"), passes("make ship"))
			ms := failures(NewScene(turn, app, nil))
			if len(ms) != 1 {
				t.Fatalf("got %d failures, want one", len(ms))
			}
			if diff := cmp.Diff(tt.want, ms[0].Files); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFailureTellsTheCause(t *testing.T) {
	turn := turnOf(fails("pip install -e .", "clang: error: unsupported option '-fopenmp'"))
	turn.Replies = []string{"Let me look because of -fopenmp, unsupported by clang.", "The build fails because Apple's clang has no support for the option -fopenmp.", "I stop here."}
	ms := failures(NewScene(turn, app, nil))
	if len(ms) != 1 || ms[0].Text != "The build fails because Apple's clang has no support for the option -fopenmp." || ms[0].Fields["fix"] != "" {
		t.Errorf("got %+v", ms)
	}
}
