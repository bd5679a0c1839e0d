package extract

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
	"recollect/internal/text/consolidate"
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
			[]string{"`python run.py` fails: No module named 'yaml'. Fix: `pip install pyyaml` => ran `pip install pyyaml` sure"}},
		{"another interpreter",
			[]claudecode.Action{fails("python -m pytest tests", "/usr/bin/python: No module named pytest"), passes("python3 -m pytest tests")},
			[]string{"`python -m pytest` fails: No module named pytest. Fix: `python3 -m pytest` => `python3 -m pytest tests` works sure"}},
		{"in a container",
			[]claudecode.Action{fails("mysql -e 'select count(*) from tickets'", "ERROR 2002 (HY000): Can't connect to local server through socket"), passes("docker compose exec store mysql -e 'select count(*) from tickets'")},
			[]string{"`mysql -e 'select count(*) from tickets'` fails: 2002 (HY000): Can't connect…. Fix: `docker compose exec store mysql …` => `docker compose exec store mysql -e 'select count(*) from tickets'` works sure"}},
		{"with the variables of a file",
			[]claudecode.Action{fails("npm start", "Error: Missing environment variable MAIL_KEY"), passes("npx dotenv -e .env.test -- npm start")},
			[]string{"`npm start` fails: Missing environment variable MAIL_KEY. Fix: `npx dotenv -e .env.test -- npm start` => `npx dotenv -e .env.test -- npm start` works sure"}},
		{"with the program that the fault names",
			[]claudecode.Action{fails("npm install", "error: This project uses bun, see package.json"), passes("bun install")},
			[]string{"`npm install` fails: This project uses bun, see package.json. Fix: `bun install` => `bun install` works sure"}},
		{"another client for the same query",
			[]claudecode.Action{fails(`sqlplus "SELECT berth, ship FROM calls"`, "bash: sqlplus: command not found"), passes(`tools/q "SELECT berth, arrival FROM calls"`)},
			[]string{"`sqlplus \"SELECT berth, ship FROM calls\"` fails: sqlplus: command not found. Fix: `tools/q` => `tools/q \"SELECT berth, arrival FROM calls\"` works sure"}},
		{"an installation is no wrapper",
			[]claudecode.Action{fails("pytest tests", "bash: pytest: command not found"), passes("pip install pytest"), fails("make lint", "src/a.py:3:1: E302 expected 2 blank lines")},
			[]string{"`pytest tests` fails: pytest: command not found => ?"}},
		{"an edit of a configuration",
			[]claudecode.Action{fails("npx oxfmt", "Error: Unknown key 'lineLength' in .oxfmt.json"), change(".oxfmt.json", `'lineLength': 90`, `'printWidth': 90`), passes("npx oxfmt")},
			[]string{"`npx oxfmt` fails: Unknown key 'lineLength' in .oxfmt.json. Fix: `'printWidth': 90` in .oxfmt.json => edited .oxfmt.json: `'printWidth': 90` sure"}},
		{"the edit of several that has to do with the fault",
			[]claudecode.Action{fails("npx oxfmt", "Error: Unknown key 'lineLength' in .oxfmt.json"), change(".oxfmt.json", `'lineLength': 90`, `'printWidth': 90`), change(".oxfmt.json", "'a'", "'useTabs': true"), passes("npx oxfmt")},
			[]string{"`npx oxfmt` fails: Unknown key 'lineLength' in .oxfmt.json. Fix: `'printWidth': 90` in .oxfmt.json => edited .oxfmt.json: `'printWidth': 90` sure"}},
		{"an edit that adds a value to a list",
			[]claudecode.Action{fails("npx depcheck", "Error: Unused dependency left-pad"), change("depcheck.json", `  'ignores': [\n    'mocha'\n  ]`, `  'ignores': [\n    'left-pad',\n    'mocha'\n  ]`), passes("npx depcheck")},
			[]string{"`npx depcheck` fails: Unused dependency left-pad. Fix: `'ignores': [ … 'left-pad',` in depcheck.json => edited depcheck.json: `'ignores': [ … 'left-pad',` sure"}},
		{"the same, where the edit does not show the list",
			[]claudecode.Action{fails("npx depcheck", "Error: Unused dependency left-pad"), change("depcheck.json", `    'mocha'`, `    'left-pad',\n    'mocha'`), passes("npx depcheck")},
			[]string{"`npx depcheck` fails: Unused dependency left-pad. Fix: edited depcheck.json => edited depcheck.json sure"}},
		{"an error of a compiler that an edit mends",
			[]claudecode.Action{fails("npm run build", "> build\n> tsc\n\nsrc/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'."), change("src/a.ts", "let n: number", `let n: string`), passes("npm run build")}, nil},
		{"the same, where a hook of git refuses the commit",
			[]claudecode.Action{fails("git commit -m x", "src/a.ts(3,7): error TS7006: Parameter 'n' implicitly has an 'any' type."), change("src/a.ts", "(n)", `(n: number)`), passes("git commit -m x")},
			[]string{"`git commit -m x` fails: TS7006: Parameter 'n' implicitly has an 'any' type. Fix: `(n: number)` in src/a.ts => edited src/a.ts: `(n: number)` sure"}},
		{"a hook that is left out is no fix",
			[]claudecode.Action{fails("git commit -m x", "Error: the message has no ticket"), passes("git commit --no-verify -m x")}, nil},
		{"a part of the suite that passes",
			[]claudecode.Action{fails("pytest tests/test_fee.py", "FAILED tests/test_fee.py::test_round - OperationalError: no such table"), passes("python manage.py migrate"), passes("pytest tests/test_fee.py -k tax")}, nil},
		{"the part that failed passes",
			[]claudecode.Action{fails("pytest tests/test_fee.py", "E   OperationalError: no such table\nFAILED tests/test_fee.py::test_round"), passes("python manage.py migrate"), passes("pytest tests/test_fee.py -k test_round")},
			[]string{"`pytest tests/test_fee.py` fails: OperationalError: no such table. Fix: `python manage.py migrate` => ran `python manage.py migrate` sure"}},
		{"it passes while the work is laid aside",
			[]claudecode.Action{fails("pytest tests", "FAILED tests/test_fee.py::test_round - AssertionError: 3 != 4"), passes("git stash && pytest tests"), passes("git stash pop")}, nil},
		{"an installation that found everything there",
			[]claudecode.Action{fails("python -m pytest tests", "/usr/bin/python: No module named pytest"), {Tool: "Bash", Command: "pip install pytest", Output: "Requirement already satisfied: pytest in /opt/py3"}, passes("python3 -m pytest tests")},
			[]string{"`python -m pytest` fails: No module named pytest. Fix: `python3 -m pytest` => `python3 -m pytest tests` works sure"}},
		{"a fix that is refuted afterwards",
			[]claudecode.Action{fails("python3 run.py", traceback+"ModuleNotFoundError: No module named 'yaml'"), passes("pip install pyyaml"), fails("python3 run.py", "Error: no such file: in.csv"), fails("python3 run.py", traceback+"ModuleNotFoundError: No module named 'yaml'")}, nil},
		{"an installation of a version that does not fit",
			[]claudecode.Action{
				fails("python3 run.py", traceback+"ModuleNotFoundError: No module named 'lattice'"), passes("pip install lattice"),
				fails("python3 run.py", traceback+"ImportError: cannot import name 'knot' from 'lattice.graph' (lattice/graph.py)"),
				passes("pip install 'lattice<4'"), passes("python3 run.py"),
			},
			[]string{"`python3 run.py` fails: cannot import name 'knot' from 'lattice.graph' (lattice/graph.p…. Fix: `pip install 'lattice<4'` => ran `pip install 'lattice<4'` sure"}},
		{"an installation after which the build fails in another way",
			[]claudecode.Action{
				fails("python3 setup.py build", traceback+"ModuleNotFoundError: No module named 'cffi'"), passes("pip install cffi"),
				{Tool: "Bash", Command: "python3 setup.py build 2>&1 | tail -5", Output: "knot.c:3:10: fatal error: 'ffi.h' file not found"},
			}, nil},
		{"an installation after which the code raises an exception",
			[]claudecode.Action{fails("python3 run.py", traceback+"ModuleNotFoundError: No module named 'lattice'"), passes("pip install lattice"), fails("python3 run.py", traceback+"AttributeError: 'Knot' object has no attribute 'edge'")},
			[]string{"`python3 run.py` fails: No module named 'lattice'. Fix: `pip install lattice` => ran `pip install lattice` likely"}},
		{"a script that was written anew",
			[]claudecode.Action{{Tool: "Write", File: "/home/dev/app/try.py"}, fails("python3 try.py", traceback+"ModuleNotFoundError: No module named 'mock'"), passes("pip install mock"), {Tool: "Write", File: "/home/dev/app/try.py"}, passes("python3 try.py")}, nil},
		{"another script with another interpreter",
			[]claudecode.Action{fails("PYTHONPATH=. python3 try.py", traceback+"ModuleNotFoundError: No module named 'shop.fast'"), passes("python3 plain.py")}, nil},
		{"a warning that stays is not why it failed",
			[]claudecode.Action{
				fails("npm run check", "src/a.ts:3:7 lint/noUnusedVariables\n\n× Formatter would have printed this:\n"), passes("npm run format"),
				{Tool: "Bash", Command: "npm run check", Output: "src/a.ts:3:7 lint/noUnusedVariables\n"},
			},
			[]string{"`npm run check` fails: Formatter would have printed this. Fix: `npm run format` => ran `npm run format` sure"}},
		{"a failing test that an edit mends",
			[]claudecode.Action{fails("go test ./...", "--- FAIL: TestSum (0.00s)\n    sum_test.go:9: got 3, want 4\nFAIL"), change("sum.go", "return a", "return a + b"), passes("go test ./...")}, nil},
		{"a wrong option that is put right",
			[]claudecode.Action{fails("sbt assembly --profle x", "error: unexpected argument '--profle' found"), passes("sbt assembly --profile x")}, nil},
		{"another program for a missing one",
			[]claudecode.Action{fails("python3 -m pytest tests/test_tax.py", "/usr/bin/python3: No module named pytest"), passes("python3 -m unittest tests.test_tax")},
			[]string{"`python3 -m pytest` fails: No module named pytest. Fix: `python3 -m unittest tests.test_tax` => `python3 -m unittest tests.test_tax` works sure"}},
		{"a missing program in a pipe",
			[]claudecode.Action{fails("cat out.json | jq .rows", "bash: jq: command not found")},
			[]string{"`jq .rows` fails: jq: command not found => ?"}},
		{"an option that was missing",
			[]claudecode.Action{fails("terragrunt plan", "Error: required flag(s) \"region\" not set"), passes("terragrunt plan --region eu-north-1")},
			[]string{"`terragrunt plan` fails: required flag(s) \"region\" not set. Fix: `terragrunt plan --region eu-north-1` => `terragrunt plan --region eu-north-1` works sure"}},
		{"a compiler that was chosen",
			[]claudecode.Action{fails("cmake -B out && cmake --build out", "FAILED: a.o\nsrc/a.hpp:2:10: fatal error: format: No such file or directory\nninja: build stopped: subcommand failed."), passes("CXX=clang++-19 cmake --fresh -B out && cmake --build out")},
			[]string{"`cmake -B out && cmake --build out` fails: format: No such file or directory. Fix: with `CXX=clang++-19 --fresh` => `CXX=clang++-19 cmake --fresh -B out && cmake --build out` works sure"}},
		{"a script for Python 3",
			[]claudecode.Action{{Tool: "Write", File: "/home/dev/app/check_x.py"}, fails("python check_x.py 2>&1 | tail -20", "  File \"check_x.py\", line 3\n    print(f\"{x}\")\n              ^\nSyntaxError: invalid syntax"), passes("python3 check_x.py")},
			[]string{"`python` fails: Python 2 ran what is written for Python 3. Fix: `python3` => `python3` works sure"}},
		{"a failing test that nothing is done about",
			[]claudecode.Action{fails("go test ./...", "--- FAIL: TestSum (0.00s)\n    sum_test.go:9: got 3, want 4\nFAIL")}, nil},
		{"an environment variable",
			[]claudecode.Action{fails("./deploy.sh staging", "deploying\n./deploy.sh: line 5: IMAGE_TAG: unbound variable"), passes("IMAGE_TAG=v1 ./deploy.sh staging")},
			[]string{"`./deploy.sh staging` fails: IMAGE_TAG: unbound variable. Fix: `IMAGE_TAG=v1 ./deploy.sh staging` => `IMAGE_TAG=v1 ./deploy.sh staging` works sure"}},
		{"a filter hides whether it passed",
			[]claudecode.Action{fails("make", "error: CACHE_DIR is not absolute"), change("config.mk", "CACHE_DIR = out", "CACHE_DIR = /var/out"), passes("make | tail -3")},
			[]string{"`make` fails: CACHE_DIR is not absolute. Fix: `CACHE_DIR = /var/out` in config.mk => edited config.mk: `CACHE_DIR = /var/out` likely"}},
		{"still missing at the end",
			[]claudecode.Action{fails("docker compose up", "Cannot connect to the Docker daemon. Is the docker daemon running?")},
			[]string{"`docker compose up` fails: Cannot connect to the Docker daemon. Is the docker daemon running? => ?"}},
		{"a server that does not end",
			[]claudecode.Action{{Tool: "Bash", Command: "npm run dev", Output: "Command timed out after 2m 0.0s", Failed: true}, {Tool: "Bash", Command: "npm run dev", Output: "Command running in background with ID: b1"}},
			[]string{"`npm run dev` fails: Command timed out after 2m 0.0s. Fix: it runs on and has to be started in the background => it runs on and has to be started in the background likely"}},
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
			[]string{"`mcp__db__query` fails: connection refused: localhost:5432. Fix: `docker start db` => ran `docker start db` sure"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := asLines(failures(NewTurn(turnOf(tt.actions...), app, nil)))
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

func TestFailureOfTheTurnBefore(t *testing.T) {
	first := turnOf(fails("npm run build", "src/a.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'."))
	first.Replies = []string{"`n` is declared as a number, but the form hands over a string."}
	second := turnOf(change("src/a.ts", "let n: number", "let n: string"), passes("npm run build"))
	second.ID, second.At = "u2", first.At.Add(time.Minute)
	before := NewTurn(first, app, nil)
	left := failures(before)
	fixed := failures(NewTurn(second, app, before))
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
		{"a line", "error: bad key in src/total.toml:12:5", "src/sum.toml", []string{"src/sum.toml", "src/total.toml"}},
		{"the end of a sentence", "error: cannot parse config/app.toml.", "config/app.toml", []string{"config/app.toml"}},
		{"an address", "error: https://example.com/a.json: status code 403", "fetch.sh", []string{"fetch.sh"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			turn := turnOf(fails("make ship", tt.error), change(tt.edited, "a", "b"), passes("make ship"))
			ms := failures(NewTurn(turn, app, nil))
			if len(ms) != 1 {
				t.Fatalf("got %d failures, want one", len(ms))
			}
			if diff := cmp.Diff(tt.want, ms[0].Files); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A failure without a fix, with which the user stopped the turn, was withdrawn.
func TestWithdrawnFailure(t *testing.T) {
	turn := turnOf(fails("docker compose up", "Error: port 5432 is already allocated"))
	if ms := failures(NewTurn(turn, app, nil)); len(ms) != 1 {
		t.Errorf("got %d failures of a turn that ended by itself, want one", len(ms))
	}
	turn.Interrupted = true
	if ms := failures(NewTurn(turn, app, nil)); len(ms) != 0 {
		t.Errorf("got %q, want nothing", ms[0].Title)
	}
}

func TestFailureTellsTheCause(t *testing.T) {
	turn := turnOf(fails("pip install -e .", "clang: error: unsupported option '-fopenmp'"))
	turn.Replies = []string{"Let me look because of -fopenmp, unsupported by clang.", "The build fails because Apple's clang has no support for the option -fopenmp.", "I stop here."}
	ms := failures(NewTurn(turn, app, nil))
	if len(ms) != 1 || ms[0].Text != "The build fails because Apple's clang has no support for the option -fopenmp." || ms[0].Fields["fix"] != "" {
		t.Errorf("got %+v", ms)
	}
}

// A title names what a reader could run or change, whatever fits of it.
func TestFailureTitle(t *testing.T) {
	tests := []struct {
		name, call, line string
		fixes, hints     []string
		want             string
	}{
		{"all of it", "make up", "PORT is not set", []string{"`PORT=1 make up`"}, nil, "`make up` fails: PORT is not set. Fix: `PORT=1 make up`"},
		{"no fix", "make up", "PORT is not set.", nil, nil, "`make up` fails: PORT is not set"},
		{"a shorter wording", "make up", "the container runtime of this machine does not answer", []string{strings.Repeat("long ", 16), "`start it`"}, nil,
			"`make up` fails: the container runtime of this machine does not answer. Fix: `start it`"},
		{"a hint", "make up", "PORT is not set", []string{strings.Repeat("long ", 20)}, []string{"with `PORT`"}, "`make up` fails: PORT is not set. Fix: with `PORT`"},
		{"none fits", "make up", "PORT is not set", []string{strings.Repeat("long ", 20)}, nil, "`make up` fails: PORT is not set"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := failureTitle(tt.call, tt.line, tt.fixes, tt.hints); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// Why a call failed is what Claude said of it afterwards.
func TestFailureCause(t *testing.T) {
	lint := fails("buf lint", "proto/cart.proto:3:1: Import \"google/type/money.proto\": does not exist")
	tests := []struct {
		name    string
		actions []claudecode.Action
		replies []string
		want    string // the text, "none" for no failure
	}{
		{"said of the option that was added",
			[]claudecode.Action{fails("rsync -a out/ web1:/srv", "Error: required option not given: remote shell"), passes("rsync --rsh=ssh -a out/ web1:/srv")},
			[]string{"It is up. It needs `--rsh=ssh`, otherwise rsync asks the old daemon."}, "It needs `--rsh=ssh`, otherwise rsync asks the old daemon."},
		{"the turn ends with it", []claudecode.Action{lint}, []string{"The money type lives in another repository. Shall I vendor it?"}, "The money type lives in another repository."},
		{"said at once, without a fix",
			[]claudecode.Action{{Tool: "Write", File: "/home/dev/app/try.py"}, fails("python3 try.py", "ImportError: cannot import name '_speedups' from 'shop' (shop/__init__.py)"), passes("ls")},
			[]string{"The shop package needs to be built first. Let me go on without it."}, "The shop package needs to be built first."},
		{"what was announced", []claudecode.Action{lint}, []string{"Let me look for the money type."}, "none"},
		{"a question", []claudecode.Action{lint}, []string{"Where does the money type live?"}, "none"},
		{"of a test that an edit of the same turn mends",
			[]claudecode.Action{fails("pytest tests/test_fee.py", "E   AssertionError: invoice_total 3 != 4\nFAILED tests/test_fee.py::test_round"), change("fee.py", "int(x)", "round(x)"), passes("pytest tests/test_fee.py")},
			[]string{"The root cause is that `invoice_total` was cut off, where test_round in test_fee.py wants it rounded."}, "The root cause is that `invoice_total` was cut off, where test_round in test_fee.py wants it rounded."},
		{"of another matter",
			[]claudecode.Action{fails("pytest tests/test_fee.py", "E   AssertionError: invoice_total 3 != 4\nFAILED tests/test_fee.py::test_round"), change("fee.py", "int(x)", "round(x)"), passes("pytest tests/test_fee.py")},
			[]string{"The page was slow because of the fonts."}, "none"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			turn := turnOf(tt.actions...)
			turn.Replies = tt.replies
			got := "none"
			if ms := failures(NewTurn(turn, app, nil)); len(ms) == 1 {
				got = ms[0].Text
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

// What Claude said before a call is no reason for its failure.
func TestFailureCauseFollowsTheCall(t *testing.T) {
	turn := turnOf(fails("buf lint", "proto/cart.proto:3:1: Import \"google/type/money.proto\": does not exist"))
	turn.Replies = []string{"The money type lives in another repository."}
	turn.Actions[0].Said = 1
	if ms := failures(NewTurn(turn, app, nil)); len(ms) != 0 {
		t.Errorf("got %q", ms[0].Text)
	}
}
