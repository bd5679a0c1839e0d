package daemon

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

func TestFailingNews(t *testing.T) {
	failed := func(path, tool string) api.Observation {
		return api.Observation{TranscriptPath: path, Tool: tool, Error: "Exit code 1"}
	}
	worked := func(path, tool string) api.Observation { return api.Observation{TranscriptPath: path, Tool: tool} }
	steps := []struct {
		name string
		in   api.Observation
		want bool
	}{
		{"all is well", worked("s1", "Bash"), false},
		{"failure", failed("s1", "Bash"), true},
		{"another failure", failed("s1", "Bash"), true},
		{"another tool", worked("s1", "WebFetch"), false},
		{"another session", worked("s2", "Bash"), false},
		{"works again", worked("s1", "Bash"), true},
		{"goes on working", worked("s1", "Bash"), false},
	}
	var f failing
	for _, s := range steps {
		if got := f.news(s.in); got != s.want {
			t.Errorf("%s: news() = %t, want %t", s.name, got, s.want)
		}
	}
	for i := range 2 * maxFailing {
		f.news(failed(fmt.Sprint(i), "Bash"))
	}
	if len(f.tools) > maxFailing {
		t.Errorf("%d tools are waited for, want at most %d", len(f.tools), maxFailing)
	}
}

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
		found, err := r.Export(t.Context(), "")
		if err != nil {
			t.Fatal(err)
		}
		return slices.ContainsFunc(found.Memories, func(m memory.Memory) bool {
			return m.Source == memory.Episodes && strings.Contains(m.Text, "`make build-all` (failed)")
		})
	})
}

func TestObserveLooksOnce(t *testing.T) {
	d, err := newDaemon(newHome(t), "1.0.0", quiet, func() {})
	if err != nil {
		t.Fatal(err)
	}
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
				if _, err := d.observe(t.Context(), api.Observation{TranscriptPath: "/t/s1.jsonl", Tool: "Bash", Error: text}); err != nil {
					t.Fatal(err)
				}
			}
			if got := d.looks.takeAll(); len(got) != tt.want {
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
	d, err := newDaemon(home, "1.0.0", quiet, func() {})
	if err != nil {
		t.Fatal(err)
	}
	for _, reason := range []string{"Stop", "SubagentStop", "PreCompact", "SessionEnd", ""} {
		if _, err := d.flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: "/t/s1.jsonl", Reason: reason}); err != nil || len(d.chores) > 0 {
			t.Errorf("flush for %q: %v, %d chores, want none", reason, err, len(d.chores))
		}
	}
	for _, failure := range []string{"", "Exit code 1"} {
		d.failing.news(api.Observation{TranscriptPath: "/t/s1.jsonl", Tool: "Bash", Error: "Exit code 1"})
		in := api.Observation{TranscriptPath: "/t/s1.jsonl", Tool: "Bash", Error: failure}
		if _, err := d.observe(t.Context(), in); err != nil || len(d.looks.takeAll()) > 0 {
			t.Errorf("observation of %q: %v, want no look", failure, err)
		}
	}
}

// record is a line of a transcript; content is JSON.
func record(kind, id, content string) string {
	return fmt.Sprintf(`{"type":%q,"uuid":%q,"sessionId":"s1","cwd":"/home/dev/src/app","timestamp":"2026-03-01T10:00:00Z","message":{"id":%q,"role":%q,"content":%s}}`+"\n",
		kind, id, id, kind, content)
}
