package daemon

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func bites(ids ...string) []api.Bite {
	var out []api.Bite
	for _, id := range ids {
		out = append(out, api.Bite{ID: id, Tokens: 10})
	}
	return out
}

// What counts is use, once a session, whatever was told.
func TestUsageCountsUses(t *testing.T) {
	home := t.TempDir()
	u := openUsage(home, quiet)
	u.add("s1", promptEvent, bites("note-1", "note-2"), noon)
	u.add("s2", promptEvent, bites("note-1"), noon)
	u.add("s1", promptEvent, bites("note-1"), noon.Add(time.Hour)) // again, after a compaction
	u.add("s1.a7", "SubagentStart", bites("note-3"), noon)
	judge := func(id string, used bool) {
		u.append([]telling{telling{ID: id, Session: "s1"}.verdict(used, noon)})
	}
	judge("note-1", false)
	judge("note-2", false)
	judge("note-1", true)
	judge("note-1", true)
	for _, when := range []string{"at first", "read again"} {
		if a, b := u.of("note-1"), u.of("note-2"); a != 1 || b != 0 {
			t.Errorf("%s: uses %d and %d, want 1 and 0", when, a, b)
		}
		if got := u.open("s1", false); len(got) != 1 || got[0].ID != "note-2" || got[0].Used == nil {
			t.Errorf("%s: open %+v, want note-2 that was not used", when, got)
		}
		if got := u.open("s1", true); len(got) != 1 || got[0].ID != "note-3" {
			t.Errorf("%s: open of sub-agents %+v, want note-3", when, got)
		}
		tokens := 0
		for _, told := range u.since(noon) {
			tokens += told.Tokens
		}
		if tokens != 50 {
			t.Errorf("%s: %d tokens, want 50", when, tokens)
		}
		u = openUsage(home, quiet)
	}
	if got := u.since(noon.Add(time.Second)); len(got) != 0 {
		t.Errorf("%d tellings later than all, want none", len(got))
	}
}

// Lines of versions before are tellings that nobody judged; what is no line of
// ours is passed over, and what comes behind it is read.
func TestUsageReadsAnything(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "usage.jsonl")
	lines := []string{
		`{"v":1,"id":"note-1","session":"s1","at":"2026-03-01T12:00:00Z"}`,
		`no JSON`,
		`{"v":1,"id":"` + strings.Repeat("x", 3*maxUsageLine) + `"}`,
		``,
		`{"v":1,"id":"note-2","session":"s1","at":"2026-03-01T12:00:00Z","used":true}`,
		`{"v":1,"id":"note-3","sess`,
	}
	if err := os.WriteFile(path, []byte(strings.Join(lines, "\n")), 0o600); err != nil {
		t.Fatal(err)
	}
	u := openUsage(home, quiet)
	u.add("s1", promptEvent, bites("note-4"), noon)
	u = openUsage(home, quiet)
	if got := len(u.since(time.Time{})); got != 3 {
		t.Errorf("%d tellings, want 3", got)
	}
	if a, b := u.of("note-1"), u.of("note-2"); a != 0 || b != 1 {
		t.Errorf("uses %d and %d, want 0 and 1", a, b)
	}
}

func TestUsageIsCompacted(t *testing.T) {
	tests := []struct {
		name           string
		sessions, more int // tellings, and verdicts on each
		keep           int
		shrinks        bool
	}{
		{"small", 10, 5, 10, false},
		{"large, not repeated", 9000, 0, 9000, false},
		{"large, mostly repeated", 5000, 3, 5000, true},
		{"too many", maxTellings + 50, 1, maxTellings, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			u := openUsage(home, quiet)
			for i := range tt.sessions {
				var lines []telling
				yes, session, at := true, fmt.Sprintf("s%06d", i), noon.Add(time.Duration(i)*time.Minute)
				lines = append(lines, telling{V: 1, ID: "note-1", Session: session, At: at, Event: promptEvent, Tokens: 7})
				for range tt.more {
					lines = append(lines, telling{V: 1, ID: "note-1", Session: session, At: at, Used: &yes})
				}
				if err := u.write(encodeTellings(lines)); err != nil {
					t.Fatal(err)
				}
			}
			before := fileSize(t, u.path)
			for _, when := range []string{"compacted", "read again"} {
				u = openUsage(home, quiet)
				told := u.since(time.Time{})
				if len(told) != tt.keep || u.of("note-1") != tt.keep*min(1, tt.more) {
					t.Errorf("%s: %d tellings, %d uses, want %d", when, len(told), u.of("note-1"), tt.keep)
				}
				if told[0].Tokens != 7 || told[0].Event != promptEvent {
					t.Errorf("%s: %+v, want 7 tokens at a prompt", when, told[0])
				}
			}
			if got := fileSize(t, u.path); (got < before) != tt.shrinks {
				t.Errorf("%d bytes of %d, want it to shrink: %v", got, before, tt.shrinks)
			}
			if tt.more > 0 && len(u.open("s000000", false)) != 0 {
				t.Errorf("the oldest telling is open, want it used or gone")
			}
		})
	}
}

func fileSize(t *testing.T, path string) int64 {
	t.Helper()
	fi, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return fi.Size()
}
