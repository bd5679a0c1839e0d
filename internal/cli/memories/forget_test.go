package memories

import (
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
)

func TestParseDay(t *testing.T) {
	tests := []struct {
		in   string
		want time.Time
	}{
		{"2026-01-31", time.Date(2026, 1, 31, 0, 0, 0, 0, time.Local)},
		{"2026-01-31T12:00:00+02:00", time.Date(2026, 1, 31, 10, 0, 0, 0, time.UTC)},
		{"31.1.2026", time.Time{}},
		{"2026-02-30", time.Time{}},
		{"", time.Time{}},
	}
	for _, tt := range tests {
		got, err := parseDay(tt.in)
		if !got.Equal(tt.want) || (err == nil) == tt.want.IsZero() {
			t.Errorf("parseDay(%q) = %v, %v, want %v", tt.in, got, err, tt.want)
		}
	}
}

func TestPrintForgotten(t *testing.T) {
	done := api.Forgotten{
		Count:    12,
		Sources:  map[memory.Source]int{memory.Inbox: 2, memory.Journal: 10},
		Memories: []api.Title{{ID: "dec-1", Project: "shop", Title: "use pools"}},
	}
	tests := []struct {
		name  string
		done  api.Forgotten
		would bool
		want  string
	}{
		{"deleted", done, false, "deleted dec-1 from project 'shop': use pools\nand 11 more\ndeleted 12 memories: journal 10, inbox 2\n"},
		{"only shown", done, true, "would delete dec-1 from project 'shop': use pools\nand 11 more\nwould delete 12 memories: journal 10, inbox 2\n"},
		{"names were shown", api.Forgotten{Count: 12, Sources: done.Sources}, false, "deleted 12 memories: journal 10, inbox 2\n"},
		{"one", api.Forgotten{Count: 1, Sources: map[memory.Source]int{memory.Journal: 1}, Memories: done.Memories}, false, "deleted dec-1 from project 'shop': use pools\n"},
		{"one, and it was shown", api.Forgotten{Count: 1, Sources: map[memory.Source]int{memory.Journal: 1}}, false, "deleted 1 memory: journal 1\n"},
		{"nothing", api.Forgotten{}, true, "nothing to forget\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var b strings.Builder
			if err := printForgotten(&b, tt.done, tt.would); err != nil || b.String() != tt.want {
				t.Errorf("printed %q, %v, want %q", b.String(), err, tt.want)
			}
		})
	}
}
