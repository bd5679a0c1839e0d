package recall

import (
	"strings"
	"testing"
	"time"

	"recollect/internal/memory"
)

// The brief of a later session comes first if it settled the matter anew, although none of its
// decisions supersedes one of the earlier.
func TestBriefOfLaterSession(t *testing.T) {
	session := func(topic string, at time.Time, decisions ...string) []memory.Memory {
		of := func(m memory.Memory) memory.Memory {
			m.Session, m.Turn, m.OccurredAt = "later", "t9", at
			m.SetHome(here)
			return m
		}
		ms := []memory.Memory{of(memory.Memory{Source: memory.Handoffs, ID: "hand-l", Title: topic})}
		for _, text := range decisions {
			ms = append(ms, of(memory.Memory{Source: memory.Journal, ID: "dec-" + text[:3], Title: text, Tags: []string{memory.TagDecision}, Origin: memory.OriginUser}))
		}
		return ms
	}
	after, before := now.Add(-24*time.Hour), now.Add(-96*time.Hour)
	tests := []struct {
		name  string
		later []memory.Memory
		first bool // comes before the session that the prompt found
	}{
		{"changes it", session("Coming back to the pumps", after, "half a minute for the motor, it overheats", "millibar stays"), true},
		{"says of no change", session("Coming back to the pumps", after, "half a minute for the motor, it overheats", "millibar it is"), false},
		{"another topic", session("Bicycles of the gardeners", after, "half a minute for the motor, it overheats", "millibar stays"), false},
		{"another matter", session("Paint of the pumps", after, "green paint on every handle", "the brushes stay in the shed"), false},
		{"before", session("Coming back to the pumps", before, "half a minute for the motor, it overheats", "millibar stays"), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			res, err := open(t, append(pumpSession(), tt.later...)...).Recall(t.Context(), ask(t, "why does the irrigation controller flood bed seven, is it the moisture probe?"))
			if err != nil {
				t.Fatal(err)
			}
			newer, older := strings.Index(res.Context, "dec-hal"), strings.Index(res.Context, "dec-b")
			if older < 0 || tt.first != (newer >= 0 && newer < older) {
				t.Errorf("the later session at %d, the other at %d\n%s", newer, older, res.Context)
			}
		})
	}
}
