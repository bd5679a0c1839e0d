package consolidate

import (
	"slices"
	"testing"
	"time"

	"recollect/internal/memory"
)

func TestWithdrawn(t *testing.T) {
	said := func(id string, src memory.Source, day int, words string) memory.Memory {
		return memory.Memory{ID: id, Source: src, Origin: memory.OriginUser, Turn: "turn-" + id, Title: words, Evidence: words, Project: "app",
			OccurredAt: time.Date(2026, 5, day, 9, 0, 0, 0, time.UTC)}
	}
	rule := said("a", memory.Patterns, 3, "never push to main directly")
	withdrawal := said("w", memory.Preferences, 9, "you may push to main now")
	withdrawal.Candidate = 0.05
	withdrawal.SetPending(true)
	again, other, noted := rule, rule, rule
	again.LastSeen = withdrawal.OccurredAt.Add(time.Hour)
	other.Project, noted.Turn = "another", ""
	dropped := said("w", memory.Preferences, 9, "drop the rule about pnpm")
	only, also := said("a", memory.Preferences, 3, "use only pnpm"), said("b", memory.Preferences, 4, "never run pnpm as root")
	for _, tt := range []struct {
		name     string
		m        memory.Memory
		memories []memory.Memory
		want     []string
	}{
		{"of another source", withdrawal, []memory.Memory{rule}, []string{"a"}},
		{"said again since", withdrawal, []memory.Memory{again}, nil},
		{"of another project", withdrawal, []memory.Memory{other}, nil},
		{"written down by the user", withdrawal, []memory.Memory{noted}, nil},
		{"one word", dropped, []memory.Memory{only}, []string{"a"}},
		{"one word of two", dropped, []memory.Memory{only, also}, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, c := range Withdrawn([]memory.Memory{tt.m}, tt.memories) {
				got = append(got, c.Now.Supersedes...)
				if c.Now.Pending || tt.m.Pending && c.Now.Stands == "" {
					t.Errorf("%+v does not stand", c.Now)
				}
				kept, merges := Compare(append(slices.Clone(tt.memories), c.Now))
				if len(kept) > 0 || len(merges) > 0 || len(Withdrawn([]memory.Memory{c.Now}, append(slices.Clone(tt.memories), c.Now))) > 0 {
					t.Errorf("a second time there are changes: %v %v", kept, merges)
				}
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("%q are withdrawn, want %q", got, tt.want)
			}
		})
	}
}
