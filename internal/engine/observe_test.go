package engine

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// A turn is captured before it ends when a tool fails in it, with what is
// written down of the failure only after the hook ran.
func TestObserve(t *testing.T) {
	r := start(t, newHome(t))
	path := filepath.Join(r.Home, "s1.jsonl")
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	text := record("user", "u1", `"make the build reproducible on every machine"`) +
		record("assistant", "a1", `[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"make build-all"}}]`)
	write(text)
	err := r.Observe(t.Context(), api.Observation{
		SessionID: "s1", TranscriptPath: path, Tool: "Bash", Input: json.RawMessage(`{"command":"make build-all"}`), Error: "Exit code 2",
	})
	if err != nil {
		t.Fatal(err)
	}
	write(text + record("user", "r1", `[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 2\nno rule to make target"}]`))
	r.until("the failure is known", func() bool {
		found, err := r.Export(t.Context(), api.Page{})
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(found.Memories, func(m memory.Memory) bool {
			return m.Source == memory.Episodes && strings.Contains(m.Text, "`make build-all` (failed)")
		})
	})
}

func TestObserveReadsOnce(t *testing.T) {
	e := openIdle(t, newHome(t))
	tests := []struct {
		name  string
		error []string // of one call after the other
		want  int
	}{
		{"all is well", []string{"", ""}, 0},
		{"failures", []string{"Exit code 1", "Exit code 2", "Exit code 1"}, 1},
		{"works again", []string{""}, 1},
		{"goes on working", []string{""}, 0},
		{"fails and works", []string{"Exit code 1", ""}, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, text := range tt.error {
				if err := e.Observe(t.Context(), api.Observation{TranscriptPath: "/t/s1.jsonl", Tool: "Bash", Error: text}); err != nil {
					t.Fatal(err)
				}
			}
			if got := e.upkeep.Revisits.TakeAll(); len(got) != tt.want {
				t.Errorf("%d looks, want %d", len(got), tt.want)
			}
		})
	}
}

func TestEventsThatAreSwitchedOff(t *testing.T) {
	home := newHome(t)
	off := "[hooks]\noff = [\"Stop\", \"SubagentStop\", \"PreCompact\", \"SessionEnd\", \"PostToolUse\", \"PostToolUseFailure\"]\n"
	if err := os.WriteFile(filepath.Join(home, "config.toml"), []byte(off), 0o600); err != nil {
		t.Fatal(err)
	}
	e := openIdle(t, home)
	for _, reason := range []string{"Stop", "SubagentStop", "PreCompact", "SessionEnd", ""} {
		if err := e.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: "/t/s1.jsonl", Reason: reason}); err != nil || len(e.jobs) > 0 {
			t.Errorf("flush for %q: %v, %d jobs, want none", reason, err, len(e.jobs))
		}
	}
	for _, failure := range []string{"", "Exit code 1"} {
		e.sessions.FailedTools.Observe(api.Observation{TranscriptPath: "/t/s1.jsonl", Tool: "Bash", Error: "Exit code 1"})
		in := api.Observation{TranscriptPath: "/t/s1.jsonl", Tool: "Bash", Error: failure}
		if err := e.Observe(t.Context(), in); err != nil || len(e.upkeep.Revisits.TakeAll()) > 0 {
			t.Errorf("observation of %q: %v, want no look", failure, err)
		}
	}
}

// record is a line of a transcript; content is JSON.
func record(kind, id, content string) string {
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"sessionId":"s1","cwd":"/home/dev/src/app","timestamp":"2026-03-01T10:00:00Z","message":{"id":%q,"role":%q,"content":%s}}`+"\n",
		kind, id, id, kind, content)
}
