package outcomes

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
)

var (
	shop  = memory.Project{Name: "shop", Path: "/src/shop"}
	quiet = slog.New(slog.DiscardHandler)
	day   = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
)

// session returns the one turn of the nth session, which happened on the nth day.
func session(n int, runs ...toolcall.Run) Turn {
	m := memory.Memory{Session: fmt.Sprint("s", n), Turn: fmt.Sprint("t", n), OccurredAt: day.AddDate(0, 0, n)}
	m.SetHome(shop)
	return NewTurn(&m, runs)
}

func passed(way string) toolcall.Run { return toolcall.Run{Way: way, Line: way} }

// failed returns a run that failed, with what passed in its place: "instead npm test"; "" for nothing.
func failed(kind toolcall.FailureKind, way, word, text, fix string) toolcall.Run {
	r := toolcall.Run{Way: way, Line: way, Failed: true, Kind: kind, Word: word, Error: text}
	if by, line, ok := strings.Cut(fix, " "); ok {
		r.Fix = toolcall.Fix{Way: line, Line: line, Kind: toolcall.FixedBy(by)}
	}
	return r
}

func TestAdvise(t *testing.T) {
	wrapped := failed(toolcall.FailedUsage, "wrap pnpm run lint", "pnpm", "error: unrecognized subcommand 'pnpm'", "instead pnpm run lint")
	flag := failed(toolcall.FailedUsage, "shopctl orders --wide", "--wide", "unknown flag: --wide", "")
	flagFixed := failed(toolcall.FailedUsage, "shopctl orders --wide", "--wide", "unknown flag: --wide", "instead shopctl orders")
	missing := failed(toolcall.FailedSetup, "jq", "jq", "jq: command not found", "")
	venv := failed(toolcall.FailedSetup, "pytest", "pytest", "pytest: command not found", "behind source .venv/bin/activate")
	unset := failed(toolcall.FailedSetup, "pip install -e", "", "clang: error: unsupported option '-fast'", "instead pip install -e CFLAGS=")
	unset.Fix.Line = "CFLAGS=-O1 pip install -e ."
	unsetToo := unset
	unsetToo.Fix.Line = "CFLAGS=-O2 pip install -e ."
	python := failed(toolcall.FailedSetup, "python sum.py", "python", "Python 2 ran what is written for Python 3", "instead python3 sum.py")
	pythonToo := failed(toolcall.FailedSetup, "python tax.py", "python", "Python 2 ran what is written for Python 3", "instead python3 tax.py")
	vite := failed(toolcall.FailedSetup, "vite build", "vite", "vite: command not found", "instead npx vite build")
	down := failed(toolcall.FailedSetup, "npm run e2e", "", "connect ECONNREFUSED 127.0.0.1:5432", "before docker compose up -d")
	lint := failed(toolcall.FailedOther, "npm run lint", "", "3 files would be reformatted", "instead npm run lint:fix")
	lintByHand := failed(toolcall.FailedOther, "npm run lint", "", "3 files would be reformatted", "")
	red := failed(toolcall.FailedCode, "npm run test", "", "expected 3, got 4", "")
	snapshot := failed(toolcall.FailedCode, "npm run test", "", "snapshot differs", "before npm run build")

	tests := []struct {
		name     string
		sessions []Turn
		ways     []string
		want     string // "" for silence
	}{
		{"nothing is known", nil, []string{"wrap pnpm run lint"}, ""},
		{"the call cannot work", []Turn{session(1, wrapped)}, []string{"wrap pnpm run lint"},
			"`wrap pnpm run lint` failed in the one session that ran it (\"error: unrecognized subcommand 'pnpm'\"), last 2026-03-02; without `wrap` it passed once"},
		{"with another script", []Turn{session(1, wrapped), session(2, wrapped)}, []string{"wrap pnpm run test"},
			"`wrap pnpm run test` failed in 2 of 2 sessions (\"error: unrecognized subcommand 'pnpm'\"), last 2026-03-03; without `wrap` it passed 2 times"},
		{"with another program", []Turn{session(1, wrapped)}, []string{"wrap go test"}, ""},
		{"it passed since", []Turn{session(1, wrapped), session(2, passed("wrap pnpm run lint"))}, []string{"wrap pnpm run lint"}, ""},
		{"another program passed since", []Turn{session(1, wrapped), session(2, passed("wrap go test"))}, []string{"wrap pnpm run lint"},
			"`wrap pnpm run lint` failed in the one session that ran it (\"error: unrecognized subcommand 'pnpm'\"), last 2026-03-02; without `wrap` it passed once"},
		{"an option, once, without a fix", []Turn{session(1, flag)}, []string{"shopctl orders --wide"}, ""},
		{"an option, twice, without a fix", []Turn{session(1, flag), session(2, flag)}, []string{"shopctl orders --json --wide"},
			"`shopctl orders --json --wide` failed in 2 of 2 sessions (\"unknown flag: --wide\"), last 2026-03-03"},
		{"an option that was left out", []Turn{session(1, flagFixed)}, []string{"shopctl orders --wide"},
			"`shopctl orders --wide` failed in the one session that ran it (\"unknown flag: --wide\"), last 2026-03-02; without `--wide` it passed once"},
		{"the call has it not", []Turn{session(1, flagFixed)}, []string{"shopctl orders"}, ""},
		{"another subcommand has it", []Turn{session(1, flagFixed)}, []string{"shopctl items --wide"}, ""},
		{"a program that is missing, in a pipe", []Turn{session(1, missing), session(2, missing)}, []string{"curl -s", "jq -r"},
			"`jq` failed in 2 of 2 sessions (\"jq: command not found\"), last 2026-03-03"},
		{"the wrong Python", []Turn{session(1, python), session(2, pythonToo)}, []string{"python -m pytest"},
			"`python` failed in 2 of 2 sessions (\"Python 2 ran what is written for Python 3\"), last 2026-03-03; `python3` passed in its place 2 times"},
		{"the right one", []Turn{session(1, python), session(2, pythonToo)}, []string{"python3 -m pytest"}, ""},
		{"a program that another one finds", []Turn{session(1, vite)}, []string{"vite build"},
			"`vite` failed in the one session that ran it (\"vite: command not found\"), last 2026-03-02; `npx vite` passed in its place once"},
		{"variables that have to be set", []Turn{session(1, unset), session(2, unsetToo)}, []string{"pip install -e"},
			"`pip install -e` failed in 2 of 2 sessions (\"clang: error: unsupported option '-fast'\"), last 2026-03-03; `CFLAGS=-O2 pip install -e` passed in its place 2 times"},
		{"a shell that has to be prepared", []Turn{session(1, venv), session(2, venv, passed("pytest +env"))}, []string{"pytest -x"},
			"`pytest` failed in 2 of 2 sessions (\"pytest: command not found\"), last 2026-03-03; with `source .venv/bin/activate &&` before it, it passed 2 times"},
		{"the call prepares it", []Turn{session(1, venv), session(2, venv)}, []string{"pytest -x +env"}, ""},
		{"what has to run first", []Turn{session(1, down)}, []string{"npm run e2e"},
			"`npm run e2e` failed in the one session that ran it (\"connect ECONNREFUSED 127.0.0.1:5432\"), last 2026-03-02; after `docker compose up -d` it passed once"},
		{"the same line runs it first", []Turn{session(1, down)}, []string{"docker compose up -d", "npm run e2e"}, ""},
		{"it passed because it ran first", []Turn{session(1, down, passed("npm run e2e"))}, []string{"npm run e2e"},
			"`npm run e2e` failed in the one session that ran it (\"connect ECONNREFUSED 127.0.0.1:5432\"), last 2026-03-02; after `docker compose up -d` it passed once"},
		{"a check, once", []Turn{session(1, lint)}, []string{"npm run lint"}, ""},
		{"a check, again and again", []Turn{session(1, lint), session(2, passed("npm run lint")), session(3, lint, passed("npm run lint"))}, []string{"npm run lint"},
			"`npm run lint` failed in 2 of 3 sessions (\"3 files would be reformatted\"), last 2026-03-04; `npm run lint:fix` passed in its place 2 times"},
		{"it passed since only once it was corrected", []Turn{session(1, lint), session(2, lint), session(3, passed("npm run lint:fix"), passed("npm run lint"))}, []string{"npm run lint"},
			"`npm run lint` failed in 2 of 3 sessions (\"3 files would be reformatted\"), last 2026-03-03; `npm run lint:fix` passed in its place 2 times"},
		{"a check that was put right by hand", []Turn{session(1, lintByHand), session(2, lintByHand), session(3, lint)}, []string{"npm run lint"}, ""},
		{"a check that seldom fails", []Turn{session(1, lint), session(2, passed("npm run lint")), session(3, passed("npm run lint")), session(4, passed("npm run lint")),
			session(5, passed("npm run lint")), session(6, passed("npm run lint")), session(7, lint)}, []string{"npm run lint"}, ""},
		{"the check that corrects", []Turn{session(1, lint), session(2, lint)}, []string{"npm run lint:fix"}, ""},
		{"a red test", []Turn{session(1, red), session(2, red), session(3, red)}, []string{"npm run test"}, ""},
		{"tests that need a build", []Turn{session(1, snapshot), session(2, snapshot), session(3, snapshot, passed("npm run test"))}, []string{"npm run test"},
			"`npm run test` failed in 3 of 3 sessions, last 2026-03-04; after `npm run build` it passed 3 times"},
		{"the session itself saw it", []Turn{session(9, wrapped)}, []string{"wrap pnpm run lint"}, ""},
	}
	for _, tt := range tests {
		l := Open(t.TempDir(), quiet)
		for _, s := range tt.sessions {
			l.Add(s)
		}
		got, ok := l.Advise(shop, "s9", tt.ways)
		if got.Text != tt.want || ok != (tt.want != "") {
			t.Errorf("%s:\n got %s\nwant %s", tt.name, got.Text, tt.want)
		}
		if len(got.Text) > maxTokens*4 {
			t.Errorf("%s: %d bytes, want %d tokens at most", tt.name, len(got.Text), maxTokens)
		}
		if other, ok := l.Advise(memory.Project{Name: "blog", Path: "/src/blog"}, "s9", tt.ways); ok {
			t.Errorf("%s: another project is told %q", tt.name, other.Text)
		}
	}
}

// maxTokens is what a line of advice may cost.
const maxTokens = 60

// However often a turn is read, it counts once, and the order in which turns are read does not matter.
func TestTurnsCountOnce(t *testing.T) {
	home := t.TempDir()
	run := failed(toolcall.FailedUsage, "wrap pnpm run lint", "pnpm", "unrecognized subcommand 'pnpm'", "instead pnpm run lint")
	unfixed := run
	unfixed.Fix = toolcall.Fix{}
	l := Open(home, quiet)
	for _, s := range []Turn{session(2, unfixed), session(1, run), session(2, run), session(1, run), session(2, run)} {
		l.Add(s)
	}
	want := "failed in 2 of 2 sessions (\"unrecognized subcommand 'pnpm'\"), last 2026-03-03; without `wrap` it passed 2 times"
	for _, l := range []*Log{l, Open(home, quiet)} {
		if got, _ := l.Advise(shop, "", []string{"wrap pnpm run lint"}); !strings.HasSuffix(got.Text, want) {
			t.Errorf("got %q, want the end %q", got.Text, want)
		}
	}
	if b, err := os.ReadFile(filepath.Join(home, Name)); err != nil || strings.Count(string(b), "\n") != 3 {
		t.Errorf("the file is %q, %v, want a line for each change of a turn", b, err)
	}
}

func TestForget(t *testing.T) {
	home := t.TempDir()
	l := Open(home, quiet)
	for n := range 3 {
		l.Add(session(n, failed(toolcall.FailedUsage, "shopctl orders --wide", "--wide", "unknown flag: --wide", "")))
	}
	if err := os.WriteFile(filepath.Join(home, Name), append(encode(l.turns), `{"v":2,"session":"s1"}`+"\n{\"v\":1,\"sess"...), 0o600); err != nil {
		t.Fatal(err)
	}
	l = Open(home, quiet)
	if l.Newer() == nil {
		t.Error("a line of a newer version is not reported")
	}
	ofSession := func(m *memory.Memory) bool { return m.Session == "s1" }
	noLine := func([]byte) bool { return false }
	if got := l.Chosen(ofSession); len(got) != 1 || got[0].Turn != "t1" || got[0].Source != memory.Failures {
		t.Errorf("chosen are %+v, want the turn of s1", got)
	}
	if err := l.Forget(ofSession, noLine); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(home, Name))
	if err != nil || strings.Contains(string(b), `"t1"`) || strings.Count(string(b), "\n") != 3 {
		t.Errorf("the file is %s, %v, want two turns and the line of a newer version", b, err)
	}
	if err := l.Forget(func(m *memory.Memory) bool { return strings.Contains(m.Text, "--wide") }, noLine); err != nil || len(l.turns) != 0 {
		t.Errorf("%d turns are left, %v", len(l.turns), err)
	}
	if _, ok := l.Advise(shop, "", []string{"shopctl orders --wide"}); ok || len(l.failing) != 0 {
		t.Error("what was forgotten is told")
	}
}

// The oldest turns go first, and of older ones what only one session ran.
func TestBounds(t *testing.T) {
	home := t.TempDir()
	var turns []*Turn
	for n := range compactAt {
		s := session(n, passed("make test"), passed(fmt.Sprint("make t", n)))
		turns = append(turns, &s)
	}
	if err := os.WriteFile(filepath.Join(home, Name), encode(turns), 0o600); err != nil {
		t.Fatal(err)
	}
	l := Open(home, quiet)
	if len(l.turns) != maxTurns || l.lines != maxTurns {
		t.Errorf("%d turns in %d lines are left, want %d", len(l.turns), l.lines, maxTurns)
	}
	if first, last := l.turns[0], l.turns[maxTurns-1]; len(first.Runs) != 1 || len(last.Runs) != 2 {
		t.Errorf("the first turn has %+v, the last %+v: want the first without the rare one", first.Runs, last.Runs)
	}
}

func TestNilLog(t *testing.T) {
	var l *Log
	l.Add(session(1, passed("make")))
	if _, ok := l.Advise(shop, "", []string{"make"}); ok || l.Knows(shop, []string{"make"}) || l.Newer() != nil || l.Chosen(nil) != nil || l.Forget(nil, nil) != nil {
		t.Error("a log that is not there knows something")
	}
}
