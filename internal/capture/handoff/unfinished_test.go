package handoff

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
)

// What the last turn did not bring to its end is open, and nothing is where it did.
func TestUnfinished(t *testing.T) {
	begin := turn("sort the depot plan by track", "The plan is sorted by track.", edited("plan.go"))
	const crash = "the gate of track 4 crashes when two trains meet"
	tests := []struct {
		name  string
		turns []claudecode.Turn
		want  string
	}{
		{"no answer", []claudecode.Turn{begin, {Prompt: "add the lamps of the north side to the plan"}},
			"not finished: add the lamps of the north side to the plan (turn 2)"},
		{"about to look", []claudecode.Turn{begin, turn("add the lamps of the north side to the plan", "Good idea. Let me look at the signal tables first.")},
			"not finished: add the lamps of the north side to the plan (turn 2)"},
		{"about to edit", []claudecode.Turn{begin, turn("add the lamps of the north side to the plan", "The table has 12 lamps. Now I'll add them:", edited("plan.go"))},
			"not finished: add the lamps of the north side to the plan (turn 2)"},
		{"gone on with", []claudecode.Turn{begin, turn("add the lamps of the north side to the plan", "Half of them are in."), turn("go on", "Let me read the last signal table.")},
			"not finished: add the lamps of the north side to the plan: Let me read the last signal table (turn 3)"},
		{"left to the user", []claudecode.Turn{begin, turn("add the lamps of the north side to the plan", "All 12 lamps are in. Let me know when you have seen them.")}, ""},
		{"stopped", []claudecode.Turn{begin, {Prompt: "add the lamps of the north side to the plan", Interrupted: true, Actions: []claudecode.Action{edited("plan.go")}}},
			"interrupted by the user: add the lamps of the north side to the plan (turn 2)"},
		{"answered", []claudecode.Turn{begin, turn("how many lamps has the north side?", "It has 12 lamps.")}, ""},
		{"a problem, nothing ran", []claudecode.Turn{begin, turn(crash, "The lock is held now while both trains pass.", edited("gate.go"))},
			"not confirmed: " + crash + " (turn 2)"},
		{"a problem, the test passed", []claudecode.Turn{begin, turn(crash, "The lock is held now while both trains pass.", edited("gate.go"), ranWell("go test ./gate"))}, ""},
		{"a problem, committed", []claudecode.Turn{begin, turn(crash, "The lock is held.", edited("gate.go"), ranWell("git commit -am 'gate: hold the lock'"))}, ""},
		{"an error", []claudecode.Turn{begin, turn("fix it\n\ngate_test.go:12: panic: close of closed channel", "The channel is closed once now.", edited("gate.go"))},
			"not confirmed: sort the depot plan by track (gate_test.go:12: panic: close of closed channel) (turn 2)"},
		{"the reply says what is left", []claudecode.Turn{begin, turn("oh, the lamps were wrong all along", "Yes. Still open: the yard.", edited("yard.go"))}, "the yard (turn 2)"},
		{"why, and why", []claudecode.Turn{begin, turn("why does the gate of track 4 fail?", "It waits for a lamp that is not there.")}, ""},
		{"an order with such a word", []claudecode.Turn{begin, turn("add a test of the missing lamps to the gate", "The test is in gate_test.go.", edited("gate_test.go"))}, ""},
		{"only to be committed", []claudecode.Turn{begin, {Prompt: "great, commit that"}}, ""},
		{"thanks", []claudecode.Turn{begin, turn("ok thanks", "")}, ""},
		{"the user says that it is done", []claudecode.Turn{begin, {Prompt: "mark the two tasks as done"}}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, ok := gathered(tt.turns...).Draft()
			if !ok {
				t.Fatal("no handoff")
			}
			if got := m.Fields["open"]; got != tt.want {
				t.Errorf("open %q, want %q", got, tt.want)
			}
		})
	}
}

// A session of which nothing is known but what was edited states nothing.
func TestHandoffStates(t *testing.T) {
	tests := []struct {
		name       string
		turn       claudecode.Turn
		statements []string
		isMarked   bool
	}{
		{"only edits", turn("sort the yard", "", edited("yard.go")), nil, false}, // it is not finished
		{"an edit, and praise", turn("sort the yard", "All clean.", edited("yard.go")), nil, true},
		{"an outcome", turn("sort the yard", "The tracks are in order.", edited("yard.go")), nil, false},
		{"an outcome with names", turn("sort the yard", "Moved `lamp.go` below `gate.go`, because the gate lights it.", edited("yard.go")),
			[]string{"Moved `lamp.go` below `gate.go`, because the gate lights it."}, false},
		{"a commit", turn("sort the yard", "", edited("yard.go"), ranWell("git commit -am 'yard: sort by track'")), []string{"Committed: yard: sort by track"}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, ok := gathered(tt.turn).Draft()
			if !ok || m.StatesNothing() != tt.isMarked {
				t.Fatalf("handoff %v, marked %v, want %v: %s", ok, m.StatesNothing(), tt.isMarked, m.Body())
			}
			if diff := cmp.Diff(tt.statements, m.Statements); diff != "" {
				t.Errorf("statements (-want +got):\n%s", diff)
			}
		})
	}
}

// What Claude announced is open or next only as long as the talk stays with it.
func TestAnnouncedGoesStale(t *testing.T) {
	begin := turn("sort the depot plan by track", "It is sorted.\n\nStill open: the north side.\n\nNext steps:\n- name the tracks of the yard\n- restart the relay\n- this is likely the old relay\n- load the lamps: `make lamps`\n\nA fine plan it will be!")
	talk := turn("which track has the longest platform?", "Track 9, with 300 m.")
	tests := []struct {
		name       string
		turns      []claudecode.Turn
		open, next string
	}{
		{"at once, without advice and comment", []claudecode.Turn{begin, turn("ok", "Good.")}, "the north side (turn 1)", "name the tracks of the yard (turn 1)"},
		{"something else was wanted", []claudecode.Turn{begin, talk}, "the north side (turn 1)", ""},
		{"long ago", []claudecode.Turn{begin, talk, talk, talk}, "", ""},
		{"a problem is nothing else", []claudecode.Turn{begin, turn("sorting fails with an empty yard", "It returns at once then.", edited("sort.go"), ranWell("go test"))},
			"the north side (turn 1)", ""},
		{"put off by the user", []claudecode.Turn{begin, turn("we print the plan tomorrow", "Good."), talk, talk, talk}, "", "we print the plan tomorrow (turn 2)"},
		{"a relative clause puts nothing off", []claudecode.Turn{begin, turn("write me a report of the yard that I can read later", "It is in yard.md.", edited("yard.md"))}, "the north side (turn 1)", ""},
		{"nothing explicit is left", []claudecode.Turn{turn("sort it", "Sorted.\n\nRemaining:\n- No explicit pending tasks\n- (Optional) colours for the lamps", edited("plan.go")), talk}, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, ok := gathered(tt.turns...).Draft()
			if !ok {
				t.Fatal("no handoff")
			}
			if m.Fields["open"] != tt.open || m.Fields["next"] != tt.next {
				t.Errorf("open %q, next %q, want %q, %q", m.Fields["open"], m.Fields["next"], tt.open, tt.next)
			}
		})
	}
}
