package consolidate

import (
	"testing"
	"time"

	"recollect/internal/memory"
)

func TestRepeated(t *testing.T) {
	said := func(id, session string, day int, words string) memory.Memory {
		m := memory.Memory{ID: id, Source: memory.Preferences, Session: session, Turn: "turn-" + id, Title: words, Evidence: words, Project: "app",
			OccurredAt: time.Date(2026, 5, day, 9, 0, 0, 0, time.UTC), Candidate: 0.3}
		m.SetPending(true)
		return m
	}
	first := said("a", "s1", 3, "put new migrations into the shared folder")
	refused := first
	refused.Refuse("a reader took it for an order")
	standing := said("s", "s3", 5, "new migrations belong into the shared folder")
	standing.SetPending(false)
	for _, tt := range []struct {
		name       string
		candidates []memory.Memory
		memories   []memory.Memory
		want       string
	}{
		{"the newer of two", []memory.Memory{first, said("b", "s2", 4, "again: new migrations go into the shared folder")}, nil, "b"},
		{"a memory says it", []memory.Memory{first}, []memory.Memory{standing}, "a"},
		{"refused", []memory.Memory{refused}, []memory.Memory{standing}, ""},
		{"of one session", []memory.Memory{first, said("b", "s1", 4, "new migrations go into the shared folder")}, nil, ""},
		{"the opposite", []memory.Memory{first, said("b", "s2", 4, "do not put new migrations into the shared folder")}, nil, ""},
		{"about something else", []memory.Memory{first, said("b", "s2", 4, "put the logo into the header")}, nil, ""},
		{"few words", []memory.Memory{said("a", "s1", 3, "commit it"), said("b", "s2", 4, "commit it")}, nil, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := ""
			for _, c := range Repeated(tt.candidates, tt.memories) {
				got += c.Now.ID
				if c.Now.Pending || c.Now.Candidate != 0 || c.Now.Stands == "" || len(c.Now.ConfirmedBy) != 1 {
					t.Errorf("%+v does not stand", c.Now)
				}
			}
			if got != tt.want {
				t.Errorf("%q stand, want %q", got, tt.want)
			}
		})
	}
}
