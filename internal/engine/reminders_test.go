package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/usage"
)

// Once a week the user is told what was used, and once each, at the first session and the first such line, of the status line
// and of the reader; with orientation.notice = false nothing of it.
func TestDuties(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	begin := func(past string, at time.Time) string {
		return strings.Join(r.duties(api.Session{Reason: "startup"}, past, at), "\n")
	}
	const past = "recollect: 2 past sessions found"
	offer := strings.TrimSpace(offer)
	now := time.Now()
	if got := begin(past, now); !strings.Contains(got, offer) {
		t.Errorf("the first session was told %q, want the status line", got)
	}
	if got := begin(past, now); strings.Contains(got, offer) {
		t.Errorf("the second session was told %q", got)
	}
	yes := true
	r.usage.Append([]usage.Injection{
		{V: 1, ID: "note-1", Session: "s1", At: now, Event: usage.PromptEvent, Used: &yes},
		{V: 1, ID: "note-2", Session: "s1", At: now, Event: usage.StartEvent, Used: &yes},
		{V: 1, ID: "fail-1", Session: "s1", At: now, Event: usage.ToolEvent, Used: &yes},
		{V: 1, ID: "note-3", Session: "s1", At: now, Event: usage.PromptEvent},
	})
	if got := begin("", now.Add(6*24*time.Hour)); strings.TrimSpace(got) != "" {
		t.Errorf("within a week: %q", got)
	}
	const week = "recollect: 2 answers used, 1 failure avoided in the last week (! recollect stats)"
	if got := begin("", now.Add(8*24*time.Hour)); !strings.Contains(got, week) || !strings.Contains(got, "recollect reader use claude") {
		t.Errorf("after a week: %q, want %q and the reader", got, week)
	}
	if got := begin("", now.Add(16*24*time.Hour)); strings.Contains(got, "used") {
		t.Errorf("after a week without use: %q", got)
	}
	if got := r.readerDue(); got != "" {
		t.Errorf("a second time: %q", got)
	}
	r.end()
	for _, name := range []string{"review.json"} {
		if err := os.Remove(filepath.Join(home, name)); err != nil {
			t.Fatal(err)
		}
	}
	configure(t, home, "[orientation]\nnotice = false\n")
	r = start(t, home)
	if got := begin(past, now); strings.TrimSpace(got) != "" {
		t.Errorf("with notices off: %q", got)
	}
}
