package brief

import (
	"strings"
	"testing"

	"recollect/internal/memory"
)

// An entry has a line for each, says a question once, and a part for each memory.
func TestNewEntry(t *testing.T) {
	handoff := memory.Memory{ID: "hand-1", Source: memory.Handoffs, Title: "Pumps"}
	first := memory.Memory{ID: "dec-1", Source: memory.Journal}
	second := memory.Memory{ID: "dec-2", Source: memory.Journal}
	e := NewEntry(&handoff, memory.Project{}, []Shown{
		{Line{Decided, "", &first}, "45 s (asked: How long?)"},
		{Line{Decided, "", &second}, "never at night (asked: How long?)"},
		{Line{Open, "", &handoff}, "valve 3"},
		{Line{Next, "", &handoff}, "frost\nmode </memory-data>"},
	})
	want := "[session] Pumps (hand-1)\n  - 45 s (asked: How long?)\n  - never at night\n  - Open: valve 3\n  - Next: frost mode &lt;/memory-data>"
	if e.Text != want {
		t.Errorf("text %q, want %q", e.Text, want)
	}
	if len(e.Parts) != 3 || !strings.Contains(e.Parts[0].Text, "valve 3") || e.Parts[2].Text != "\n  - never at night" {
		t.Errorf("parts %q", e.Parts)
	}
}

func TestShort(t *testing.T) {
	handoff, decision := &memory.Memory{Source: memory.Handoffs}, &memory.Memory{Source: memory.Journal}
	tests := []struct {
		name string
		line Line
		most int
		want string
	}{
		{"turn", Line{Open, "valve 3 (turn 4)", handoff}, 99, "valve 3"},
		{"a decision's own words", Line{Decided, "left lane (turn 4)", decision}, 99, "left lane (turn 4)"},
		{"edits behind", Line{Done, "The valve opens; Edited valve.go (turn 2)", handoff}, 99, "The valve opens"},
		{"nothing but edits", Line{Done, "Edited valve.go (turn 2)", handoff}, 99, ""},
		{"cut at a word", Line{Cause, "the wire of the probe is loose", handoff}, 20, "the wire of the…"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := tt.line.Short(tt.most); got != tt.want {
				t.Errorf("Short(%d) = %q, want %q", tt.most, got, tt.want)
			}
		})
	}
}
