package recall

import (
	"strings"
	"testing"

	"recollect/internal/memory"
	"recollect/internal/recall/request"
)

// A failure of which the start of a session has the heading alone is injected whole where its
// activity is asked for, and only there.
func TestHeadingOfAFailure(t *testing.T) {
	failed := inbox("fail-1", "`cargo test` fails: error: no database. Fix: with `SQLX_OFFLINE=1`", "")
	failed.Source, failed.Fields = memory.Failures, map[string]string{"error": "no database", "fix": "`SQLX_OFFLINE=1 cargo test` works"}
	r := open(t, failed)
	req := ask(t, "")
	start, err := r.Orient(t.Context(), req)
	if err != nil || len(start.Injected) != 1 {
		t.Fatalf("Orient() = %+v, %v, want the failure", start.Injected, err)
	}
	if text := start.Injected[0].Text; strings.Contains(text, "no database") || !strings.Contains(text, "`cargo test` fails. Fix: with") {
		t.Errorf("the start of the session has the error, or not the fix: %s", text)
	}
	for prompt, want := range map[string]int{
		"run all specs": 1,
		"what does SQLX_OFFLINE do with a database": 0,
	} {
		req := ask(t, prompt)
		req.Session = request.Session{ID: "now", Injected: start.Keys}
		if got := recall(t, r, req); len(got.Injected) != want {
			t.Errorf("Recall(%q) injects %+v, want %d", prompt, got.Injected, want)
		}
	}
}
