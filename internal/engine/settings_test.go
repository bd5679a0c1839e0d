package engine

import (
	"os"
	"path/filepath"
	"testing"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// configure writes a user's settings into home.
func configure(t *testing.T, home, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// An event that is switched off has no part in anything; the others go on.
func TestHooksOff(t *testing.T) {
	tests := []struct {
		name, file                   string
		oriented, answered, captured bool
	}{
		{"all on", "", true, true, true},
		{"no orientation", "[hooks.SessionStart]\nenabled = false\n", false, true, true},
		{"no memories for prompts", "[hooks.UserPromptSubmit]\nenabled = false\n", true, false, true},
		{"no capture", "[hooks.Stop]\nenabled = false\n", true, true, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := newHome(t)
			configure(t, home, tt.file)
			r := start(t, home)
			handoff := memory.Memory{Source: memory.Handoffs, Title: "stopped at the migration of orders"}
			if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(handoff, note("the database pool has 40 connections")), Cwd: "/home/dev/src/app"}); err != nil {
				t.Fatal(err)
			}
			r.search("pool")

			injected, err := r.Orient(t.Context(), api.Session{SessionID: "s1", Cwd: "/home/dev/src/app", Reason: "startup"})
			if err != nil || (len(injected.Injected) > 0) != tt.oriented {
				t.Errorf("a session's start was given %d memories, %v; any: want %t", len(injected.Injected), err, tt.oriented)
			}
			if ids := r.recollect("s2"); (len(ids) > 0) != tt.answered {
				t.Errorf("a prompt was given %q; any: want %t", ids, tt.answered)
			}
			if got := r.captures(); got != tt.captured {
				t.Errorf("a turn that ended was captured: %t, want %t", got, tt.captured)
			}
		})
	}
}

// captures ends a turn and reports whether it became a memory.
func (r *running) captures() bool {
	r.t.Helper()
	path := filepath.Join(r.Home, "s3.jsonl")
	copyTranscript(r.t, path)
	before := r.count()
	if err := r.Flush(r.t.Context(), api.Flush{SessionID: "s3", TranscriptPath: path, Reason: "Stop"}); err != nil {
		r.t.Fatal(err)
	}
	configure(r.t, r.Home, "") // finished needs the hook
	r.settled()
	return r.count() > before+1 // finished stores one itself
}
