package recall

import (
	"testing"

	"recollect/internal/api"
	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/request"
)

// A failure whose heading alone was injected is injected whole where its activity is asked for, and only there. The
// start of a session has none: what went wrong comes with the call that goes wrong.
func TestHeadingOfAFailure(t *testing.T) {
	failed := inbox("fail-1", "`cargo test` fails: error: no database. Fix: with `SQLX_OFFLINE=1`", "")
	failed.Source, failed.Fields = memory.Failures, map[string]string{"error": "no database", "fix": "`SQLX_OFFLINE=1 cargo test` works"}
	r := open(t, failed)
	if start, err := r.Orient(t.Context(), ask(t, "")); err != nil || len(start.Injected) > 0 {
		t.Fatalf("Orient() = %+v, %v, want nothing", start.Injected, err)
	}
	start := request.Result{Keys: map[string]string{}}
	start.Add(&failed, 0, block.Heading(&failed, here), api.OutcomeHeading)
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
