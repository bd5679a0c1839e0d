//go:build e2e

package e2e

import (
	"bytes"
	"strings"
	"testing"
)

const wish = "always indent with tabs in this project, never with spaces"

// startContext returns what hooks of SessionStart added to r, or "".
func (r request) startContext() string {
	_, text, _ := strings.Cut(r.text(), "SessionStart hook additional context: ")
	text, _, _ = strings.Cut(text, "</memory-data>")
	return text
}

// given returns all that a session was told with its first prompt, and before it.
func (r request) given() string { return r.startContext() + "\n" + r.promptContext() }

// What a session is told before its first prompt.
func testStart(t *testing.T, k kit) {
	w := newWorld(t, k)
	first := w.ask(t, wish, []turn{{text: "I will."}})
	if got := first.startContext(); got != "" {
		t.Errorf("the first session of all was told %q", got)
	}
	w.teach(t)
	eventually(t, "the handoff", func() bool {
		r, err := w.client.run(t.Context(), w.recollect(), "export")
		return err == nil && strings.Contains(r.stdout, `"id":"hand-`) && strings.Contains(r.stdout, `"id":"pref-`)
	})
	req := w.ask(t, "good morning", []turn{{text: "Good morning."}})
	got := req.startContext()
	for _, want := range []string{"<memory-data", "[session] checkout hangs around noon", key, "[preference] " + wish} {
		if !strings.Contains(got, want) {
			t.Errorf("told %q, want it to hold %q", got, want)
		}
	}
	if n := strings.Count(req.text(), "[session]"); n != 1 {
		t.Errorf("the last session stands %d times in the request, want once", n)
	}
	if got := w.hookTroubles(t); got != nil {
		t.Errorf("transcripts tell of hooks: %s", got)
	}
}

// The client compacts a session where a prompt says "/compact", in print mode
// too. What it then tells its hooks and keeps of them is in the next request.
func testCompaction(t *testing.T, k kit) {
	const session = "6d1f8a52-94a7-4c8e-b6d3-0c5f4be2a918"
	const why = "why does the staging gateway listen on port 7443 behind envoy?"
	w := newWorld(t, k)
	id := w.note(t, "--source", "journal", "--title", "Staging listens on port 7443 behind envoy",
		"The staging gateway moved from port 443 to port 7443, because envoy terminates TLS on its own.")
	first := w.ask(t, why, []turn{{text: "TLS ends in envoy."}}, "--session-id", session)
	if got := block(first); !strings.Contains(got, id) {
		t.Fatalf("the prompt was told %q, want %s", got, id)
	}
	w.compact(t, session)
	req := w.ask(t, "so "+why, []turn{{text: "As I said."}}, "--resume", session)
	if got := req.startContext(); !strings.Contains(got, id) {
		t.Errorf("after the compaction the session was told %q, want %s again", got, id)
	}
	if got := strings.Count(req.text(), id); got != 1 {
		t.Errorf("the conversation holds %s %d times, want once", id, got)
	}
	if got := w.hookTroubles(t); got != nil {
		t.Errorf("transcripts tell of hooks: %s", got)
	}
}

// compact has a session's conversation replaced by a summary.
func (w *world) compact(t *testing.T, session string) {
	t.Helper()
	w.api.say(turn{text: "<summary>The user asked for a port.</summary>"})
	r, err := w.client.prompt(t.Context(), "/compact", "--resume", session)
	if err != nil || r.status != 0 || r.stderr != "" {
		t.Fatalf("/compact: status %d, %v, stdout %q, stderr %q", r.status, err, r.stdout, r.stderr)
	}
	compacted := false
	w.eachRecord(t, func(line []byte) {
		compacted = compacted || bytes.Contains(line, []byte(`"compact_boundary"`))
	})
	if !compacted {
		t.Fatal("/compact: no transcript tells of a compaction")
	}
}
