package toolcall

import (
	"testing"

	"recollect/internal/agents/claudecode"
)

// ran is a call of a command that printed output.
func ran(command, output string) claudecode.Action {
	return claudecode.Action{Tool: "Bash", Command: command, Output: output}
}

func failedWith(command, output string) claudecode.Action {
	a := ran(command, "Exit code 1\n"+output)
	a.Failed = true
	return a
}

func edited(file string) claudecode.Action {
	return claudecode.Action{Tool: "Edit", File: "/src/shop/" + file}
}

// What a command's failure is bound to, what its error is about, and which command fixed it.
func TestRunsThatFailed(t *testing.T) {
	const (
		noFlag   = "unknown flag: --wide"
		noSub    = "error: unrecognized subcommand 'pnpm'"
		noScript = `error: Script not found "check"`
		noTool   = "bash: jq: command not found"
		red      = "--- FAIL: TestTotal (0.00s)\n    total_test.go:12: got 3, want 4"
		wrong    = "cart/total.go:7:2: undefined: tax"
		untidy   = "These files would be reformatted and there is an error"
		refused  = "Error: connect ECONNREFUSED 127.0.0.1:5432"
	)
	tests := []struct {
		name string
		done []claudecode.Action
		want Run
	}{
		{"an option that is not known", []claudecode.Action{failedWith("shopctl orders list --wide", noFlag), ran("shopctl orders list", "1 2 3")},
			Run{Kind: FailedUsage, Word: "--wide", Way: "shopctl orders --wide", Fix: Fix{"shopctl orders", "shopctl orders list", FixedInstead}}},
		{"a wrapper that does not know the program", []claudecode.Action{failedWith("wrap pnpm run lint", noSub), edited("a.ts"), ran("pnpm run lint 2>&1", "ok")},
			Run{Kind: FailedUsage, Word: "pnpm", Way: "wrap pnpm run lint", Fix: Fix{"pnpm run lint", "pnpm run lint", FixedInstead}}},
		{"the same with a filter behind it", []claudecode.Action{failedWith("wrap pnpm run lint", noSub), ran("pnpm run lint 2>&1 | tail -3", "ok")},
			Run{Kind: FailedUsage, Word: "pnpm", Way: "wrap pnpm run lint", Fix: Fix{"pnpm run lint", "pnpm run lint", FixedInstead}}},
		{"a word that the error only has, too", []claudecode.Action{failedWith("npm run check", "Error: the user was not found by check")}, Run{Kind: FailedOther, Way: "npm run check"}},
		{"what failed behind a filter", []claudecode.Action{failedWith("wrap pnpm run lint", noSub), ran("pnpm run lint 2>&1 | tail -3", "error: no config"), ran("pnpm run lint --fast", "")},
			Run{Kind: FailedUsage, Word: "pnpm", Way: "wrap pnpm run lint", Fix: Fix{"pnpm run lint --fast", "pnpm run lint --fast", FixedInstead}}},
		{"an option that BSD's program does not know, behind a filter that prints a part", []claudecode.Action{ran("tac -z orders.txt | sed -n '3,5p'", "tac: illegal option -- z\nusage: tac [file ...]")},
			Run{Kind: FailedUsage, Word: "-z", Way: "tac -z"}},
		{"what make lacks", []claudecode.Action{failedWith("make lint", "make: golangci-lint: No such file or directory")}, Run{Kind: FailedSetup, Way: "make lint"}},
		{"a script of another program", []claudecode.Action{failedWith("bun run check", noScript), ran("npm run check", "ok")},
			Run{Kind: FailedUsage, Word: "check", Way: "bun run check", Fix: Fix{"npm run check", "npm run check", FixedInstead}}},
		{"a program that is missing in a pipe", []claudecode.Action{failedWith("curl -s shop.test/v1 | jq .items", noTool), ran("brew install jq", "ok"), ran("curl -s shop.test/v1 | jq .items", "[]")},
			Run{Kind: FailedSetup, Word: "jq", Way: "jq", Fix: Fix{"brew install", "brew install jq", FixedBefore}}},
		{"a test", []claudecode.Action{failedWith("go test ./cart", red), edited("cart/total.go"), ran("go test ./cart", "ok")}, Run{Kind: FailedCode, Way: "go test"}},
		{"code", []claudecode.Action{failedWith("go build ./...", wrong), edited("cart/total.go"), ran("go build ./...", "")}, Run{Kind: FailedCode, Way: "go build"}},
		{"a check that corrects", []claudecode.Action{failedWith("npm run lint", untidy), ran("npm run lint:fix", ""), ran("npm run lint", "")},
			Run{Kind: FailedOther, Way: "npm run lint", Fix: Fix{"npm run lint:fix", "npm run lint:fix", FixedInstead}}},
		{"a check of something else", []claudecode.Action{failedWith("npm run test", red), ran("npm run test:unit", "")}, Run{Kind: FailedCode, Way: "npm run test"}},
		{"the wrong Python", []claudecode.Action{failedWith("python tools/sum.py", "  File \"tools/sum.py\", line 3\n    print(f\"{n}\")\n                 ^\nSyntaxError: invalid syntax"), ran("python3 tools/sum.py", "6")},
			Run{Kind: FailedSetup, Word: "python", Way: "python tools/sum.py", Fix: Fix{"python3 tools/sum.py", "python3 tools/sum.py", FixedInstead}}},
		{"something that was not running", []claudecode.Action{failedWith("npm run e2e", refused), ran("docker compose up -d", ""), ran("npm run e2e", "")},
			Run{Kind: FailedSetup, Way: "npm run e2e", Fix: Fix{"docker compose up -d", "docker compose up -d", FixedBefore}}},
		{"a shell that was not prepared", []claudecode.Action{failedWith("pytest -x tests/a.py", "bash: pytest: command not found"), ran("source .venv/bin/activate && pytest -x tests/a.py", "")},
			Run{Kind: FailedSetup, Word: "pytest", Way: "pytest -x", Fix: Fix{"pytest -x +env", "source .venv/bin/activate", FixedBehind}}},
		{"help that was asked for", []claudecode.Action{failedWith("shopctl orders --wide", noFlag), ran("shopctl orders --help", "")}, Run{Kind: FailedUsage, Word: "--wide", Way: "shopctl orders --wide"}},
		{"the same after an edit", []claudecode.Action{failedWith("npm run e2e", refused), edited("e2e.ts"), ran("npm run e2e", "")}, Run{Kind: FailedSetup, Way: "npm run e2e"}},
		{"what only moves files about", []claudecode.Action{failedWith("npm run e2e", refused), ran("rm -rf tmp", ""), ran("npm run e2e", "")}, Run{Kind: FailedSetup, Way: "npm run e2e"}},
		{"a wrapper's last line", []claudecode.Action{failedWith("task run ship", "[ship] ERROR task failed")}, Run{Kind: FailedOther, Way: "task run ship"}},
	}
	p := NewPaths(shop, "/src/shop")
	for _, tt := range tests {
		runs := Runs(tt.done, nil, p)
		if len(runs) == 0 || !runs[0].Failed {
			t.Errorf("%s: runs are %+v, want a failure first", tt.name, runs)
			continue
		}
		got := runs[0]
		got.Failed, got.Line, got.Error = false, "", ""
		if got != tt.want {
			t.Errorf("%s: got %+v, want %+v", tt.name, got, tt.want)
		}
		if later := Runs(tt.done[:1], tt.done[1:], p); len(later) == 0 || later[0].Fix != tt.want.Fix {
			t.Errorf("%s: put right in the next turn: got %+v", tt.name, later)
		}
	}
}

// Nothing is counted of which nobody knows how it ended, or that was not run.
func TestRunsThatCount(t *testing.T) {
	refused := failedWith("make", "")
	refused.Refused, refused.Failed = true, false
	tests := []struct {
		name   string
		done   claudecode.Action
		passed []string
		failed string
	}{
		{"steps of which each must pass", ran("make gen && make test", ""), []string{"make gen", "make test"}, ""},
		{"steps that need not", ran("make gen; make test", ""), []string{"make test"}, ""},
		{"behind a filter", ran("make test | tail -3", ""), nil, ""},
		{"one of several failed", failedWith("make gen && make test", "error: no rule"), nil, ""},
		{"the only one that does something", failedWith("cd web && make test", "error: no rule"), nil, "make test"},
		{"a filter that found nothing", failedWith("make test | grep cart", "x"), nil, ""},
		{"a wrong call that a filter hides", ran("wrap pnpm test | tail -3", "error: unrecognized subcommand 'pnpm'"), nil, "wrap pnpm test"},
		{"an error that a filter lets through", ran("make test | tail -3", "error: the cart is unknown"), nil, ""},
		{"another program's missing program", ran("cat build.log | tail -3", "bash: jq: command not found"), nil, ""},
		{"a script that was written to be run", failedWith("python3 probe.py", "ImportError: cannot import name 'tax'"), nil, ""},
		{"in the background", ran("make serve", "Command running in background with ID: 7"), nil, ""},
		{"not permitted", refused, nil, ""},
		{"a folder that is not there", failedWith("cd nowhere && make", "bash: cd: nowhere: No such file or directory"), nil, ""},
	}
	for _, tt := range tests {
		var passed []string
		failed := ""
		probe := claudecode.Action{Tool: "Write", File: "/src/shop/probe.py"}
		for _, r := range Runs([]claudecode.Action{probe, tt.done}, nil, NewPaths(shop, "/src/shop")) {
			if r.Failed {
				failed = r.Way
			} else {
				passed = append(passed, r.Way)
			}
		}
		if failed != tt.failed || len(passed) != len(tt.passed) {
			t.Errorf("%s: passed %q, failed %q, want %q and %q", tt.name, passed, failed, tt.passed, tt.failed)
		}
	}
}

func TestLinesOfRuns(t *testing.T) {
	tests := []struct{ command, want string }{
		{"cd /src/shop && make test 2>&1", "make test"},
		{"cd /src/shop/web && CI=1 npm test", "cd web && CI=1 npm test"},
		{"cd web && npm test", "cd web && npm test"},
		{"API_TOKEN=sk_live_4f9a8b7c6d5e4f3a2b1c0d9e make ship", "API_TOKEN=[secret:stripe-token] make ship"},
	}
	for _, tt := range tests {
		runs := Runs([]claudecode.Action{ran(tt.command, "")}, nil, NewPaths(shop, "/src/shop"))
		if len(runs) == 0 || runs[len(runs)-1].Line != tt.want {
			t.Errorf("%q: got %+v, want the line %q", tt.command, runs, tt.want)
		}
	}
}
