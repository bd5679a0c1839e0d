package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/usage"
	"recollect/internal/memory"
)

// turnAt is a turn of session s1 with a prompt and a reply a second later.
func turnAt(at time.Time, id, prompt, reply string) string {
	line := func(at time.Time, kind, id, content string) string {
		return fmt.Sprintf(`{"type":%q,"uuid":%q,"sessionId":"s1","cwd":"/home/dev/src/app","timestamp":%q,"message":{"id":%q,"role":%q,"content":%s}}`+"\n",
			kind, id, at.UTC().Format(time.RFC3339Nano), id, kind, content)
	}
	return line(at, "user", "u"+id, fmt.Sprintf("%q", prompt)) +
		line(at.Add(time.Second), "assistant", "a"+id, fmt.Sprintf(`[{"type":"text","text":%q}]`, reply))
}

// A memory that was injected counts as used once the turn that it was injected in
// shows it, and as not used when it does not.
func TestWhatIsInjectedIsAssessed(t *testing.T) {
	const fact = "the database pool has 40 connections, set by POOL_LIMIT in deploy/pool.env on the primary host alone, never on a replica"
	tests := []struct {
		name  string
		reply string
		later string // reply of a turn after
		used  int
	}{
		{"used", "It has 40 connections: POOL_LIMIT in deploy/pool.env says so.", "", 1},
		{"not used", "I do not know.", "", 0},
		{"in a turn that was not told", "I do not know.", "POOL_LIMIT is 40, in deploy/pool.env.", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			r := start(t, newHome(t))
			r.remember(fact)
			r.search("pool")
			asked := time.Now()
			if got := r.recollect("s1"); len(got) != 1 {
				t.Fatalf("injected %q, want one", got)
			}
			text := turnAt(asked, "1", poolPrompt, tt.reply)
			if tt.later != "" {
				text += turnAt(asked.Add(time.Minute), "2", "so what?", tt.later)
			}
			path := filepath.Join(r.Home, "s1.jsonl")
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := r.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: path, Reason: "Stop"}); err != nil {
				t.Fatal(err)
			}
			for _, when := range []string{"captured", "captured again"} {
				r.settled()
				s, err := r.History.Stats(t.Context(), api.Period{})
				if err != nil {
					t.Fatal(err)
				}
				got := s.Sources[memory.Inbox].Injections
				if got.Injected != 1 || got.Assessed != 1 || got.Used != tt.used || got.Tokens == 0 {
					t.Errorf("%s: %+v, want one judged, %d used", when, got, tt.used)
				}
				if e := s.Event(usage.PromptEvent); e.Recalls != 1 || e.Empty != 0 || e.Injections != got || e.P50 <= 0 {
					t.Errorf("%s: at the prompt %+v, want one recall and %+v", when, e, got)
				}
				if s.Captured == 0 || s.CaptureFailed != 0 {
					t.Errorf("%s: %d captured, %d failed", when, s.Captured, s.CaptureFailed)
				}
				if err := r.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: path, Reason: "Stop"}); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func TestStatsSince(t *testing.T) {
	r := start(t, newHome(t))
	r.remember("the database pool has 40 connections")
	for since, want := range map[time.Time]int{{}: 1, time.Now().Add(-time.Hour): 1, time.Now().Add(time.Hour): 0} {
		s, err := r.History.Stats(t.Context(), api.Period{Since: since})
		if err != nil {
			t.Fatal(err)
		}
		if got := s.Sources[memory.Inbox]; got.Memories != 1 || got.Added != want {
			t.Errorf("since %v: %+v, want 1 memory, %d added", since, got, want)
		}
	}
}
