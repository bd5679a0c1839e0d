package brief

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

func at(minute int, m memory.Memory) memory.Memory {
	m.OccurredAt = time.Date(2026, 10, 1, 9, minute, 0, 0, time.UTC)
	return m
}

// Decisions stand in the order of time, then the handoff's fields line by line.
// A decision of a sub-agent is not the session's.
func TestLines(t *testing.T) {
	b := New([]memory.Memory{
		at(9, memory.Memory{Source: memory.Handoffs, Title: "Pumps", Fields: map[string]string{"open": "valve 3 (turn 2)\n\n  valve 4 (turn 3) ", "cause": "a loose wire (turn 1)"}}),
		at(5, memory.Memory{Source: memory.Journal, Title: "45 s", Tags: []string{memory.TagAssumed}}),
		at(2, memory.Memory{Source: memory.Journal, Title: "Decided: two misses"}),
		at(3, memory.Memory{Source: memory.Journal, Title: "theirs", Agent: "explorer"}),
		at(1, memory.Memory{Source: memory.Episodes, Title: "asked"}),
	})
	type line struct{ Kind, Text string }
	var got []line
	for _, l := range b.Lines() {
		got = append(got, line{l.Kind, l.Text})
	}
	want := []line{{Decided, "two misses"}, {Assumed, "45 s"}, {Cause, "a loose wire (turn 1)"}, {Open, "valve 3 (turn 2)"}, {Open, "valve 4 (turn 3)"}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Lines (-want +got):\n%s", diff)
	}
	if lines := (&Brief{}).Lines(); lines != nil {
		t.Errorf("nothing known, but lines %v", lines)
	}
}

func TestDecision(t *testing.T) {
	tests := []struct {
		name string
		in   memory.Memory
		want string
	}{
		{"title alone", memory.Memory{Title: "429 (asked: 429 or 503?)"}, "429 (asked: 429 or 503?)"},
		{"whole statement", memory.Memory{Title: "Memory is binary…", Text: "Memory is binary,\ndisk is decimal.", Tags: []string{memory.TagDecision}}, "Memory is binary, disk is decimal."},
		{"recap", memory.Memory{Title: "Units", Text: "K is 1024; M is 1024²", Tags: []string{memory.TagRecap}}, "K is 1024; M is 1024²"},
		{"answer with its description", memory.Memory{Title: "Storage? → SQLite", Text: "One file.", Tags: []string{memory.TagAnswer}}, "Storage? → SQLite: One file."},
		{"reason and rejected", memory.Memory{Title: "ids", Fields: map[string]string{"rationale": "the vector grows", "alternatives": "a deque"}},
			"ids (because: the vector grows; not: a deque)"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Decision(&tt.in); got != tt.want {
				t.Errorf("Decision = %q, want %q", got, tt.want)
			}
		})
	}
}
