package prose

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestOutcome(t *testing.T) {
	long := strings.Repeat("The shelf of the warehouse is counted once a day. ", 12)
	tests := []struct{ name, reply, want string }{
		{"sentence", "The feed reads from the replica now.", "The feed reads from the replica now."},
		{"praise", "Perfect! Great, I've successfully moved the feed to the replica. ✅", "Moved the feed to the replica."},
		{"only praise", "Excellent! Everything is in place.", ""},
		{"what comes next", "The index is built. Now I'll run the tests. Let me know if it fails.", "The index is built."},
		{"announcement with its list", "The job does three things:\n- it reads\n- it counts\n- it writes\n", "The job does three things: It reads; It counts; It writes"},
		{"announcement of code", "Run this:\n```sh\nmake\n\nmake test\nmake install\nmake clean\n```\nThe shelf is counted again.", "The shelf is counted again."},
		{"sentence before code", "The counter started at one instead of zero:\n```go\nn := 1\n```\nNobody saw it.", "The counter started at one instead of zero: `n := 1`. Nobody saw it."},
		{"advice for another failure", "The shelf is counted once. If this still fails, we can count it by hand.", "The shelf is counted once."},
		{"sections", "## Problem\nThe shelf was counted twice.\n\n## Solution\nThe lock is taken before the count.\n\n## Sources\n- [a](https://a.example)\n",
			"The shelf was counted twice.\nThe lock is taken before the count."},
		{"the cause before the rest", long + "\n\n## Root cause\nTwo workers shared a cursor.", "Cause: Two workers shared a cursor."},
		{"causes that are only possible", "It may be several things.\n\n### Possible causes\n- the lock\n- the clock\n", "Possible causes: The lock; The clock"},
		{"what points to what is left out", "```\nx\n```\nThis ensures that the shelf is counted once.", ""},
		{"diff and table", "| a | b |\n|---|---|\n| 1 | 2 |\n\nThe shelf is counted once.", "The shelf is counted once."},
		{"wrapped line", "The shelf is counted once,\nat midnight, by one worker.", "The shelf is counted once, at midnight, by one worker."},
		{"address", "Opened a pull request:\nhttps://example.com/shop/pull/7", "Opened a pull request: https://example.com/shop/pull/7"},
		{"list in a list", "1. The store:\n   - a lock\n2. The job:\n   - a cursor\n", "The store: a lock; The job: a cursor"},
		{"degrees", "The sensor reads 20 °C now.", "The sensor reads 20 °C now."},
		{"German", "Perfekt! Der Zähler beginnt jetzt bei null.", "Der Zähler beginnt jetzt bei null."},
		{"umlaut", "Über Nacht zählt der Zähler nicht.", "Über Nacht zählt der Zähler nicht."},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Outcome(tt.reply, "the export is slow", 200)
			if tt.name == "the cause before the rest" {
				if !strings.HasSuffix(got, tt.want) {
					t.Errorf("Outcome = %q, want the end %q", got, tt.want)
				}
				return
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || len(got) > 200 {
				t.Errorf("Outcome of %d bytes (-want +got):\n%s", len(got), diff)
			}
		})
	}
}
