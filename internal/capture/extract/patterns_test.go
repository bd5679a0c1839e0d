package extract

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"recollect/internal/agents/claudecode"
	"recollect/internal/memory"
	"recollect/internal/text/consolidate"
)

func failureAt(t *testing.T, id string, at time.Time, actions ...claudecode.Action) memory.Memory {
	t.Helper()
	turn := turnOf(actions...)
	turn.ID, turn.At = id, at
	ms := failures(NewTurn(turn, app, nil))
	if len(ms) != 1 {
		t.Fatalf("got %d failures, want 1", len(ms))
	}
	if err := ms[0].Normalize(); err != nil {
		t.Fatal(err)
	}
	return ms[0].Memory
}

func TestPatternOf(t *testing.T) {
	noun := fails("python run.py", "ModuleNotFoundError: No module named 'yaml'")
	at := time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC)
	once := failureAt(t, "u1", at, noun, passes("make deps"), passes("python run.py"))
	twice := failureAt(t, "u9", at.Add(time.Hour), noun, passes("make deps -s"), passes("python run.py"))
	otherwise := failureAt(t, "u9", at.Add(time.Hour), noun, change("run.py", "import yaml", "import json"), passes("python run.py"))
	if once.ID != twice.ID {
		t.Fatalf("the same failure has ids %s and %s", once.ID, twice.ID)
	}
	got, ok := PatternOf(once, twice)
	if !ok {
		t.Fatal("a fix that worked twice is no pattern")
	}
	if err := got.Normalize(); err != nil {
		t.Fatal(err)
	}
	if got.Source != memory.Patterns || got.Origin != memory.OriginAssistant || got.Confidence != workedTwice ||
		got.Fields["solution"] != "ran `make deps -s`" || got.Fields["problem"] != once.Fields["error"] {
		t.Errorf("got %+v", got)
	}
	if again, _ := PatternOf(consolidate.Confirm(once, twice, false), twice); again.Normalize() != nil || again.ID != got.ID {
		t.Error("the same turn read again makes another pattern")
	}
	for name, fresh := range map[string]memory.Memory{"the same turn": once, "another fix": otherwise} {
		if _, ok := PatternOf(once, fresh); ok {
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
		{"Tests live in lab/e2e, not beside the code. Please move it.", []string{"Tests live in lab/e2e, not beside the code."}},
		{"the convention here is kebab-case for file names", []string{"the convention here is kebab-case for file names"}},
		{"In diesem Projekt benutzen wir nur die Standardbibliothek.", []string{"In diesem Projekt benutzen wir nur die Standardbibliothek."}},
		{"dans ce projet on écrit les messages en anglais", []string{"dans ce projet on écrit les messages en anglais"}},
		{"en este proyecto usamos tabuladores para indentar", []string{"en este proyecto usamos tabuladores para indentar"}},
		{"should tests live in lab/e2e?", nil},
		{"what is the convention here for names?", nil},
		{"the logs go into the void when it crashes", nil},
		{"in this project the build is broken right now", nil},
		{"```\nin this repo we use tabs\n```\nwhy does it say that?", nil},
		{"fix the login page", nil},
	}
	for _, tt := range tests {
		var got []string
		for _, m := range conventions(NewTurn(claudecode.Turn{ID: "u1", Prompt: tt.prompt, Cwd: app.Path}, app, nil)) {
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
		ms := conventions(NewTurn(claudecode.Turn{ID: id, Prompt: words, Cwd: app.Path, At: at}, app, nil))
		if len(ms) != 1 {
			t.Fatalf("%q: got %d conventions, want 1", words, len(ms))
		}
		if err := ms[0].Normalize(); err != nil {
			t.Fatal(err)
		}
		return ms[0].Memory
	}
	old := say("u1", "tests live in test/unit", at)
	same := say("u2", "Tests should live in test/unit.", at.Add(time.Hour))
	new := say("u3", "tests live next to the code", at.Add(2*time.Hour))
	fixtures := say("u4", "fixtures live in test/data", at)
	if old.ContentHash != same.ContentHash || old.ContentHash != new.ContentHash || old.ContentHash == fixtures.ContentHash {
		t.Error("a topic is not one memory")
	}
	if contradictsPlace(old, same) || !contradictsPlace(old, new) || contradictsPlace(old, fixtures) {
		t.Error("another place for the same is the only contradiction")
	}
	if got := reviseText(old, new); got.Evidence != new.Evidence || got.Confidence >= old.Confidence {
		t.Errorf("got %q, confidence %.2f", got.Evidence, got.Confidence)
	}
	if got := reviseText(new, old); got.Evidence != new.Evidence {
		t.Errorf("what was said earlier won: %q", got.Evidence)
	}
}

// Whatever a program could not run, what ran it instead makes one pattern.
func TestPatternOfAnotherProgram(t *testing.T) {
	at := time.Date(2026, 2, 10, 12, 0, 0, 0, time.UTC)
	twice := func(script, fault string, hours int) memory.Draft {
		run := func(n int) memory.Memory {
			name := fmt.Sprint(script, n, ".py")
			return failureAt(t, fmt.Sprint("u", hours, n), at.Add(time.Duration(hours+n)*time.Hour), claudecode.Action{Tool: "Write", File: "/home/dev/app/" + name}, fails("python "+name, fault), passes("python3 "+name))
		}
		pattern, ok := PatternOf(run(1), run(2))
		if err := pattern.Normalize(); err != nil || !ok {
			t.Fatalf("%s: no pattern (%v)", fault, err)
		}
		return pattern
	}
	a := twice("plot", "ImportError: No module named pandas", 0)
	b := twice("load", "ImportError: No module named attr", 10)
	if a.ID != b.ID {
		t.Errorf("got two patterns, %q and %q", a.Title, b.Title)
	}
	old := twice("show", "SyntaxError: Non-ASCII character '\\xe2' in file show.py", 20)
	if want := "`python` fails: Python 2 ran what is written for Python 3. Fix: `python3`"; old.Title != want || !old.Home().Zero() {
		t.Errorf("got %q of project %q, want %q of none", old.Title, old.Project, want)
	}
}
