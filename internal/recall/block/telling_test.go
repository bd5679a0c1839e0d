package block

import (
	"testing"

	"recollect/internal/memory"
)

func TestTellsAlone(t *testing.T) {
	tests := []struct {
		name   string
		source memory.Source
		title  string
		fix    string
		want   bool
	}{
		{"decision", memory.Journal, "429 (asked: 429 or 503?)", "", true},
		{"decision in a word", memory.Journal, "Postgres", "", true},
		{"preference", memory.Preferences, "Tabs", "", true},
		{"failure with its fix", memory.Failures, "`make ship` fails: no TAG", "`TAG=v1 make ship` works", true},
		{"failure", memory.Failures, "`make ship` fails: no TAG", "", false},
		{"episode", memory.Episodes, "move the feed to the replica", "", true},
		{"answer", memory.Episodes, "slab (asked: A slab, or plain indices?)", "", true},
		{"question", memory.Episodes, "can we move the feed to the replica?", "", false},
		{"greeting", memory.Episodes, "good morning", "", false},
		{"command", memory.Episodes, "❯ ./run.sh", "", false},
		{"Japanese", memory.Episodes, "フィードをレプリカに移す", "", true},
		{"handoff", memory.Handoffs, "coupons of merged carts", "", true},
		{"goal", memory.Goals, "drop the join", "", true},
		{"nothing", memory.Patterns, " ", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m := memory.Memory{Source: tt.source, Title: tt.title, Fields: map[string]string{"fix": tt.fix}}
			if got := TellsAlone(&m); got != tt.want {
				t.Errorf("TellsAlone(%s %q) = %t, want %t", tt.source, tt.title, got, tt.want)
			}
		})
	}
}
