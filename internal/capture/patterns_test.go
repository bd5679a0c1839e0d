package capture

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"recollect/internal/claudecode"
	"recollect/internal/memory"
)

func failureAt(t *testing.T, id string, at time.Time, actions ...claudecode.Action) memory.Memory {
	t.Helper()
	turn := turnOf(actions...)
	turn.ID, turn.At = id, at
	ms := failures(newScene(turn, app, nil))
	if len(ms) != 1 {
		t.Fatalf("got %d failures, want 1", len(ms))
	}
	if err := ms[0].Normalize(); err != nil {
		t.Fatal(err)
	}
	return ms[0]
}

func TestPatternOf(t *testing.T) {
	noun := fails("python run.py", "ModuleNotFoundError: No module named 'yaml'")
	at := time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC)
	once := failureAt(t, "u1", at, noun, passes("pip install pyyaml"), passes("python run.py"))
	twice := failureAt(t, "u9", at.Add(time.Hour), noun, passes("pip install -q pyyaml"), passes("python run.py"))
	otherwise := failureAt(t, "u9", at.Add(time.Hour), noun, change("run.py", "import yaml", "import json"), passes("python run.py"))
	if once.ID != twice.ID {
		t.Fatalf("the same failure has ids %s and %s", once.ID, twice.ID)
	}
	got, ok := patternOf(once, twice)
	if !ok {
		t.Fatal("a fix that worked twice is no pattern")
	}
	if err := got.Normalize(); err != nil {
		t.Fatal(err)
	}
	if got.Source != memory.Patterns || got.Origin != memory.OriginAssistant || got.Confidence != workedTwice ||
		got.Fields["solution"] != "ran `pip install -q pyyaml`" || got.Fields["problem"] != once.Fields["error"] {
		t.Errorf("got %+v", got)
	}
	if again, _ := patternOf(confirm(once, twice, false), twice); again.ContentHash != got.ContentHash {
		t.Error("the same turn read again makes another pattern")
	}
	for name, fresh := range map[string]memory.Memory{"the same turn": once, "another fix": otherwise} {
		if _, ok := patternOf(once, fresh); ok {
			t.Errorf("%s makes a pattern", name)
		}
	}
}

func TestConventions(t *testing.T) {
	tests := []struct {
		prompt string
		want   []string
	}{
		{"add a user service. in this repo we wrap all errors with fmt.Errorf", []string{"in this repo we wrap all errors with fmt.Errorf"}},
		{"Tests live in internal/e2e, not beside the code. Please move it.", []string{"Tests live in internal/e2e, not beside the code."}},
		{"the convention here is kebab-case for file names", []string{"the convention here is kebab-case for file names"}},
		{"In diesem Projekt benutzen wir nur die Standardbibliothek.", []string{"In diesem Projekt benutzen wir nur die Standardbibliothek."}},
		{"dans ce projet on écrit les messages en anglais", []string{"dans ce projet on écrit les messages en anglais"}},
		{"en este proyecto usamos tabuladores para indentar", []string{"en este proyecto usamos tabuladores para indentar"}},
		{"should tests live in internal/e2e?", nil},
		{"what is the convention here for names?", nil},
		{"the logs go into the void when it crashes", nil},
		{"in this project the build is broken right now", nil},
		{"```\nin this repo we use tabs\n```\nwhy does it say that?", nil},
		{"fix the login page", nil},
	}
	for _, tt := range tests {
		var got []string
		for _, m := range conventions(newScene(claudecode.Turn{ID: "u1", Prompt: tt.prompt, Cwd: app.Path}, app, nil)) {
			if m.Origin != memory.OriginUser {
				t.Errorf("%q: origin %s", tt.prompt, m.Origin)
			}
			got = append(got, m.Evidence)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: got %q, want %q", tt.prompt, got, tt.want)
		}
	}
}

func TestContradicts(t *testing.T) {
	at := time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC)
	say := func(id, words string, at time.Time) memory.Memory {
		ms := conventions(newScene(claudecode.Turn{ID: id, Prompt: words, Cwd: app.Path, At: at}, app, nil))
		if len(ms) != 1 {
			t.Fatalf("%q: got %d conventions, want 1", words, len(ms))
		}
		return ms[0]
	}
	old := say("u1", "tests live in test/unit", at)
	same := say("u2", "Tests should live in test/unit.", at.Add(time.Hour))
	new := say("u3", "tests live next to the code", at.Add(2*time.Hour))
	fixtures := say("u4", "fixtures live in test/data", at)
	if old.ContentHash != same.ContentHash || old.ContentHash != new.ContentHash || old.ContentHash == fixtures.ContentHash {
		t.Error("a topic is not one memory")
	}
	if contradicts(old, same) || !contradicts(old, new) || contradicts(old, fixtures) {
		t.Error("another place for the same is the only contradiction")
	}
	if got := revised(old, new); got.Evidence != new.Evidence || got.Confidence >= old.Confidence {
		t.Errorf("got %q, confidence %.2f", got.Evidence, got.Confidence)
	}
	if got := revised(new, old); got.Evidence != new.Evidence {
		t.Errorf("what was said earlier won: %q", got.Evidence)
	}
}

// ran is a command of the n-th minute, with what came of it.
func ran(n int, command, output string, failed bool) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"c%d","sessionId":"s1","cwd":"/app","timestamp":"2026-10-01T10:%02d:00Z","message":{"id":"c%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":%q}}]}}`+"\n"+
		`{"type":"user","uuid":"r%d","sessionId":"s1","cwd":"/app","timestamp":"2026-10-01T10:%02d:01Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%q,"is_error":%t}]}}`,
		n, n, n, n, command, n, n, n, output, failed)
}

// A fix that works in two turns is learned as a pattern, whether they are read
// at once or one by one, and reading them again changes nothing.
func TestFileLearnsPatterns(t *testing.T) {
	const missing = "ModuleNotFoundError: No module named 'yaml'"
	turn := func(n int) []string {
		return []string{
			asked(n, fmt.Sprintf("run the import of region %d for me please", n)),
			ran(n+1, "python run.py", missing, true), ran(n+2, "pip install pyyaml", "ok", false), ran(n+3, "python run.py", "done", false),
		}
	}
	for _, steps := range []int{1, 2} {
		d := newDesk(t)
		d.write(header)
		d.write(turn(10)...)
		if steps == 2 {
			d.take(Input{})
		}
		d.write(turn(20)...)
		d.take(Input{})
		found := map[memory.Source]int{}
		for m := range d.store.All() {
			found[m.Source] += m.Occurrences()
		}
		if found[memory.Patterns] != 1 || found[memory.Failures] != 2 {
			t.Errorf("read in %d steps: %v, want one pattern and a failure that occurred twice", steps, found)
		}
		before := d.store.Len()
		if d.take(Input{Whole: true}); d.store.Len() != before {
			t.Errorf("%d memories after reading again, %d before", d.store.Len(), before)
		}
	}
}

// A fix that was found long after the failure was first met is known from one
// turn only, however often that is read.
func TestFixFoundLaterIsNoPattern(t *testing.T) {
	const missing = "ModuleNotFoundError: No module named 'yaml'"
	d := newDesk(t)
	sources := func() map[memory.Source]int {
		found := map[memory.Source]int{}
		for m := range d.store.All() {
			found[m.Source] += m.Occurrences()
		}
		return found
	}
	d.write(header, asked(10, "run the import of the first region for me please"), ran(11, "python run.py", missing, true), replied(12, "It does not run here."),
		asked(15, "then tell me what the readme says about regions"), replied(16, "It says that there are three."))
	repaired := func(n int) {
		d.write(asked(n, fmt.Sprintf("run the import of region %d for me please", n)),
			ran(n+1, "python run.py", missing, true), ran(n+2, "pip install pyyaml", "ok", false), ran(n+3, "python run.py", "done", false))
	}
	repaired(20)
	for range 2 {
		d.take(Input{Whole: true})
		if found := sources(); found[memory.Patterns] != 0 || found[memory.Failures] != 2 {
			t.Fatalf("%v, want a failure that occurred twice and no pattern", found)
		}
	}
	repaired(30)
	for range 2 {
		d.take(Input{Whole: true})
		if found := sources(); found[memory.Patterns] != 1 || found[memory.Failures] != 3 {
			t.Fatalf("%v, want a failure that occurred three times and one pattern", found)
		}
	}
	if done := d.take(Input{Whole: true}); done.Added != 0 || done.Changed != 0 {
		t.Errorf("read again: %+v, want nothing new", done)
	}
}

// What was said before the user changed their mind does not confirm what they
// say now, though it is the same.
func TestConventionChangedTwice(t *testing.T) {
	d := newDesk(t)
	d.write(header, asked(10, "tests live in test/unit"), replied(11, "Yes."), asked(20, "tests live in internal/e2e"), replied(21, "Yes."),
		asked(30, "tests live in test/unit"), replied(31, "Yes."))
	d.take(Input{Whole: true})
	var got []memory.Memory
	for m := range d.store.Source(memory.Patterns) {
		got = append(got, m)
	}
	if len(got) != 1 || got[0].Turn != "u30" || got[0].Confidence != toldAnew || got[0].ConfirmedBy != nil {
		t.Errorf("got %+v, want what was said last", got)
	}
	if done := d.take(Input{Whole: true}); done.Added != 0 || done.Changed != 0 {
		t.Errorf("read again: %+v, want nothing new", done)
	}
}
