//go:build e2e

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A dialogue is what a session settles, prompt by prompt: one point by a word, one
// by a correction, one as a rule that is changed later. Something is left open.
var dialogue = []struct{ prompt, reply string }{
	{"readers who return their books late should be reminded by mail",
		"I can put that into the nightly run. Should the first reminder go out after 3 days or after 7 days?"},
	{"7", "The first reminder goes out after 7 days. I would send all of them at midnight, together with the statistics."},
	{"No, we decided to send them at 6 in the morning, because the mail host is down for its backup until 5.", "Then they are sent at 6 in the morning."},
	{"we decided that a reader gets at most 4 reminders for one loan, never two on the same day", "That is in reminders.py now: 4 at most, one a day."},
	{"which tests cover the day on which one is sent?", "test_due.py has two of them."},
	{"actually make it 3 reminders", "It is 3 reminders for one loan now.\n\nStill open: the loans of the bookmobile have no due date yet, so nobody is reminded of them."},
}

// TestBrief has a session settle things and leave work open, and later ones
// ask for that in other words.
func TestBrief(t *testing.T) {
	t.Parallel()
	const session = "6d1f8a52-94a7-4c8e-b6d3-0c5f4be2a919"
	w := newWorld(t, newKit(t))
	how := []string{"--session-id", session}
	for _, said := range dialogue {
		w.ask(t, said.prompt, []turn{{text: said.reply}}, how...)
		how = []string{"--resume", session}
	}
	w.waitForExport(t, "bookmobile")
	w.waitForExport(t, `"supersedes"`) // 4 reminders

	tests := []struct{ name, prompt, reply string }{
		{"in other words", "how many mails does somebody get at most who keeps a novel for too long, and when does the first one come?", "At most three."},
		{"where were we", "where were we?", "At the reminders."},
		{"after other work", "when in the day do we write to late borrowers, and why then?", "At 6."},
	}
	for i, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if i == len(tests)-1 {
				w.moveOn(t)
			}
			got := w.ask(t, test.prompt, []turn{{text: test.reply}}).given()
			wantSettled(t, got)
			if !strings.Contains(got, "bookmobile") {
				t.Errorf("told %q, want the open work", got)
			}
		})
	}
	if got := w.hookTroubles(t); got != nil {
		t.Errorf("transcripts tell of hooks: %s", got)
	}

	w.enter(t, "weather-station")
	for _, prompt := range []string{"where were we?", "how many samples a minute does the wind gauge deliver, and when is it calibrated first?"} {
		if got := w.ask(t, prompt, []turn{{text: "I do not know."}}).given(); strings.TrimSpace(got) != "" {
			t.Errorf("%q in another project: told %q, want nothing", prompt, got)
		}
	}
}

// wantSettled wants what the dialogue settled, as it was changed in the end.
func wantSettled(t *testing.T, got string) {
	t.Helper()
	for _, want := range []string{"6 in the morning", "the mail host is down", "3 reminders"} {
		if !strings.Contains(got, want) {
			t.Errorf("told %q, want %q in it", got, want)
		}
	}
	newer, older := strings.Index(got, "3 reminders"), strings.Index(got, "4 reminders")
	if older >= 0 && older < newer {
		t.Errorf("told %q, want 3 reminders before 4", got)
	}
}

// enter begins to work in another project.
func (w *world) enter(t *testing.T, project string) {
	t.Helper()
	w.client.project = filepath.Join(w.client.home, "src", project)
	if err := os.MkdirAll(w.client.project, 0o700); err != nil {
		t.Fatal(err)
	}
	w.settle(t)
}
