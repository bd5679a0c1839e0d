package daemons

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/cli"
	"recollect/internal/daemon"
	"recollect/internal/memory"
)

// serve runs a daemon over an empty data folder.
func serve(t *testing.T) *api.Client {
	t.Helper()
	home, err := os.MkdirTemp("", "re")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- daemon.Run(ctx, home, "1.0.0", slog.New(slog.DiscardHandler)) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-ended, os.RemoveAll(home)); err != nil {
			t.Error(err)
		}
	})
	client := &api.Client{Home: home, Version: "1.0.0"}
	for end := time.Now().Add(8 * time.Second); ; {
		if _, err := client.Health(ctx); err == nil {
			return client
		} else if time.Now().After(end) {
			t.Fatalf("the daemon does not answer: %v", err)
		}
	}
}

// A tester presses keys at a board and reads what it shows.
type tester struct {
	*board
	t      *testing.T
	out    *bytes.Buffer
	client *api.Client
}

func newTester(t *testing.T) *tester {
	client, out := serve(t), &bytes.Buffer{}
	ask := func(ctx context.Context, f func(context.Context, *api.Client) error) error { return f(ctx, client) }
	return &tester{&board{ask: ask, to: out}, t, out, client}
}

// keys presses keys and returns the lines that they show, above the one with the keys.
func (b *tester) keys(pressed string) string {
	b.t.Helper()
	b.out.Reset()
	for _, key := range []byte(pressed) {
		if !b.press(b.t.Context(), key) {
			b.t.Fatalf("%q ended the watch", key)
		}
	}
	lines := strings.Split(b.out.String(), "\r\n")
	return strings.TrimSpace(lines[max(0, len(lines)-2)])
}

func (b *tester) verdict(id string) string {
	b.t.Helper()
	m, err := b.client.Memory(b.t.Context(), id)
	if err != nil {
		b.t.Fatal(err)
	}
	return m.Verdict
}

// One key says of the selected memory what the owner thinks of it, and takes it back.
func TestKeysOfWatch(t *testing.T) {
	b := newTester(t)
	done, err := b.client.Remember(t.Context(), api.Remember{Memories: memory.Drafts(
		memory.Memory{Source: memory.Inbox, Title: "the pool has 40 connections"}, memory.Memory{Source: memory.Inbox, Title: "deploy on Tuesdays"})})
	if err != nil {
		t.Fatal(err)
	}
	first, second := done.IDs[0], done.IDs[1]
	if got := b.keys("uwf5z"); got != "nothing to undo" {
		t.Errorf("keys about nothing show %q", got)
	}
	b.show(api.Recalled{Injected: 2, Named: []api.Title{{ID: first, Title: "the pool"}, {ID: second, Title: "deploy"}}})
	for _, step := range []struct {
		keys, shows   string
		first, second string // verdicts
	}{
		{"u", "1  useful, counts as a use: the pool", api.Useful, ""},
		{"w", "1  wrong, not injected again: the pool", api.Wrong, ""},
		{"z", "undone: the pool", api.Useful, ""},
		{"u", "1  taken back: the pool", "", ""},
		{"2", "2  selected: deploy", "", ""},
		{"w", "2  wrong, not injected again: deploy", "", api.Wrong},
		{"zz", "undone: the pool", api.Useful, ""},
		{"9", "", api.Useful, ""},
	} {
		got := b.keys(step.keys)
		if !strings.HasSuffix(got, step.shows) || b.verdict(first) != step.first || b.verdict(second) != step.second {
			t.Errorf("%s: shows %q, verdicts %q and %q, want %+v", step.keys, got, b.verdict(first), b.verdict(second), step)
		}
	}
	if got := b.keys("f"); got != "2  forgotten (z brings it back): deploy" {
		t.Errorf("forget shows %q", got)
	}
	if _, err := b.client.Memory(t.Context(), second); err == nil {
		t.Error("it is not forgotten")
	}
	if got := b.keys("f"); got != "2  no memory (any more): deploy" {
		t.Errorf("forget again shows %q", got)
	}
	if got := b.keys("z"); got != "brought back: deploy" || b.verdict(second) != "" {
		t.Errorf("undo shows %q", got)
	}
	if got := b.keys("z"); got != "undone: the pool" {
		t.Errorf("undo again shows %q", got)
	}
	for _, key := range []byte{'q', interrupt, endOfInput} {
		if b.press(t.Context(), key) {
			t.Errorf("key %d does not end the watch", key)
		}
	}
}

// Each has a number of its own, and the newest ten a digit; the newest one is selected unless the user selected another
// that still has its digit, and no line is wider than the terminal.
func TestNumbersOfWatch(t *testing.T) {
	t.Setenv("COLUMNS", "60")
	b := newTester(t)
	b.print()
	show := func(titles ...string) {
		var r api.Recalled
		for _, title := range titles {
			r.Named = append(r.Named, api.Title{ID: title, Title: title + strings.Repeat(" and so on", 9)})
		}
		r.Injected = len(titles)
		b.show(r)
	}
	show("a", "b")
	show("c")
	if b.selected != 3 {
		t.Errorf("%d is selected, want the newest", b.selected)
	}
	b.keys("2")
	show("d", "e", "f")
	show("g", "h", "i")
	if b.selected != 2 {
		t.Errorf("%d is selected, want what the user selected", b.selected)
	}
	show("j", "k")
	if b.selected != 2 || b.newest[0].ID != "j" || b.newest[1].ID != "k" {
		t.Errorf("%d is selected, 10 is %+v, 11 is %+v", b.selected, b.newest[0], b.newest[1])
	}
	if got := b.keys("1"); !strings.HasPrefix(got, "11  selected: k") {
		t.Errorf("the last digit of 11 shows %q", got)
	}
	b.keys("2")
	show("l")
	if b.selected != 12 || b.newest[2].ID != "l" || b.isTyped {
		t.Errorf("%d is selected, %+v", b.selected, b.newest[2])
	}
	b.end()
	for _, line := range strings.FieldsFunc(b.out.String(), func(r rune) bool { return r == '\r' || r == '\n' }) {
		if n := cli.Columns(line); n > 60 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

// A line begins with what was asked, and says how many are not listed; the start of a session was not typed.
func TestLinesOfWatch(t *testing.T) {
	t.Setenv("COLUMNS", "60")
	named := []api.Title{{ID: "a", Title: "the pool"}}
	for _, tt := range []struct {
		name  string
		r     api.Recalled
		shows string
	}{
		{"prompt", api.Recalled{Event: "UserPromptSubmit", Project: "app", Prompt: "where do the emails of the contact form go?", Injected: 3, Named: named}, `  app  "where do the emails…"  3 memories`},
		{"more", api.Recalled{Injected: 3, Named: named}, "     and 2 more"},
		{"start", api.Recalled{Event: "SessionStart", Project: "app", Prompt: "startup", Injected: 1, Named: named}, "  app  session begins (startup)  1 memory"},
		{"call", api.Recalled{Event: "PreToolUse", Project: "app", Prompt: "Bash ls", Why: "none"}, `  app  call "Bash ls"  nothing: none`},
		{"guard", api.Recalled{Event: "PreToolUse", Project: "app", Prompt: "Bash ls", Guard: "ask", Why: "asked by guard pref-1", Named: named}, `  app  call "Bash ls"  asked by guard pref-1  `},
	} {
		var out bytes.Buffer
		(&board{to: &out}).show(tt.r)
		if !strings.Contains(out.String(), tt.shows) {
			t.Errorf("%s: %q, want %q", tt.name, out.String(), tt.shows)
		}
	}
}
