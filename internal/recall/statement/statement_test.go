package statement

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// Each kind of memory says what its own form has, without leads, turns and lists of files.
func TestOf(t *testing.T) {
	tests := []struct {
		name string
		m    memory.Memory
		want []Statement
	}{
		{"a decision", memory.Memory{Source: memory.Journal, Title: "Decided: the kiln cools overnight", Fields: map[string]string{"rationale": "glaze cracks", "alternatives": "a fan"}},
			[]Statement{{Decided, "the kiln cools overnight (because: glaze cracks) (not: a fan)"}}},
		{"one that Claude assumed", memory.Memory{Source: memory.Journal, Title: "clay is kept wet", Tags: []string{memory.TagAssumed}}, []Statement{{Assumed, "clay is kept wet"}}},
		{"a mere yes", memory.Memory{Source: memory.Journal, Title: "Agreed (on: three shelves a kiln)"}, nil},
		{"a wish", memory.Memory{Source: memory.Preferences, Title: "The user wants: never fire on Sundays"}, []Statement{{Rule, "never fire on Sundays"}}},
		{"a handoff", memory.Memory{Source: memory.Handoffs, Title: "Kiln", Fields: map[string]string{
			"cause": "the thermocouple was loose (turn 2)", "done": "Edited kiln.go (turn 3)\nreplaced the thermocouple; Edited a.go (turn 4)", "next": "glaze the second batch (turn 5)"}},
			[]Statement{{Cause, "the thermocouple was loose"}, {Result, "replaced the thermocouple"}, {Next, "glaze the second batch"}}},
		{"a turn", memory.Memory{Source: memory.Episodes, Title: "why does the glaze crack?", Text: "Outcome: It cools too fast. The door was opened at noon.\nDid: edited kiln.go\nAsked: never open it before six"},
			[]Statement{{Result, "It cools too fast."}, {Result, "The door was opened at noon."}, {Asked, "why does the glaze crack?"}, {Asked, "never open it before six"}}},
		{"a note", memory.Memory{Source: memory.Inbox, Title: "Clay", Text: "It is from the pit in the north."}, []Statement{{Fact, "Clay: It is from the pit in the north."}}},
		{"a title alone", memory.Memory{Source: memory.Goals, Title: "two kilns"}, []Statement{{Fact, "two kilns"}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Of(&tt.m)); diff != "" {
				t.Errorf("Of() (-want +got):\n%s", diff)
			}
		})
	}
}

// A long sentence becomes several statements, at its clauses, and nothing of it is lost.
func TestLongSentence(t *testing.T) {
	text := strings.Repeat("the kiln was heated for nine hours and then left alone; ", 9) + "done"
	all := Of(&memory.Memory{Source: memory.Thinking, Text: text})
	if len(all) < 3 {
		t.Fatalf("%d statements", len(all))
	}
	for _, s := range all {
		if len(s.Text) > Longest || strings.HasSuffix(s.Text, ";") {
			t.Errorf("%d bytes: %q", len(s.Text), s.Text)
		}
	}
}
