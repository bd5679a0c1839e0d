package usage

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
	"recollect/internal/system/durable"
)

var quiet = slog.New(slog.DiscardHandler)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func injectedAs(ids ...string) []api.Injected {
	var out []api.Injected
	for _, id := range ids {
		out = append(out, api.Injected{ID: id, Tokens: 10})
	}
	return out
}

// What counts is use, once a session, whatever was told.
func TestUsageCountsUses(t *testing.T) {
	home := t.TempDir()
	u := OpenLog(home, quiet)
	u.Add("s1", PromptEvent, injectedAs("note-1", "note-2"), noon)
	u.Add("s2", PromptEvent, injectedAs("note-1"), noon)
	u.Add("s1", PromptEvent, injectedAs("note-1"), noon.Add(time.Hour)) // again, after a compaction
	u.Add("s1.a7", "SubagentStart", injectedAs("note-3"), noon)
	assess := func(id string, used bool) {
		u.Append([]Injection{Injection{ID: id, Session: "s1"}.Assessment(used, noon)})
	}
	assess("note-1", false)
	assess("note-2", false)
	assess("note-1", true)
	assess("note-1", true)
	for _, when := range []string{"at first", "read again"} {
		if a, b := u.Uses("note-1"), u.Uses("note-2"); a != 1 || b != 0 {
			t.Errorf("%s: uses %d and %d, want 1 and 0", when, a, b)
		}
		if got := u.Unused("s1", false); len(got) != 1 || got[0].ID != "note-2" || got[0].Used == nil {
			t.Errorf("%s: open %+v, want note-2 that was not used", when, got)
		}
		if got := u.Unused("s1", true); len(got) != 1 || got[0].ID != "note-3" {
			t.Errorf("%s: open of sub-agents %+v, want note-3", when, got)
		}
		tokens := 0
		for _, injected := range u.Since(noon) {
			tokens += injected.Tokens
		}
		if tokens != 50 {
			t.Errorf("%s: %d tokens, want 50", when, tokens)
		}
		u = OpenLog(home, quiet)
	}
	if got := u.Since(noon.Add(time.Second)); len(got) != 0 {
		t.Errorf("%d injections later than all, want none", len(got))
	}
}

// Lines of versions before are injections that nobody judged; what is no line of
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
	u := OpenLog(home, quiet)
	u.Add("s1", PromptEvent, injectedAs("note-4"), noon)
	u = OpenLog(home, quiet)
	if got := len(u.Since(time.Time{})); got != 3 {
		t.Errorf("%d injections, want 3", got)
	}
	if a, b := u.Uses("note-1"), u.Uses("note-2"); a != 0 || b != 1 {
		t.Errorf("uses %d and %d, want 0 and 1", a, b)
	}
}

func TestUsageIsCompacted(t *testing.T) {
	tests := []struct {
		name           string
		sessions, more int // injections, and verdicts on each
		keep           int
		shrinks        bool
	}{
		{"small", 10, 5, 10, false},
		{"large, not repeated", 9000, 0, 9000, false},
		{"large, mostly repeated", 5000, 3, 5000, true},
		{"too many", maxInjections + 50, 1, maxInjections, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			u := OpenLog(home, quiet)
			for i := range tt.sessions {
				var lines []Injection
				yes, session, at := true, fmt.Sprintf("s%06d", i), noon.Add(time.Duration(i)*time.Minute)
				lines = append(lines, Injection{V: 1, ID: "note-1", Session: session, At: at, Event: PromptEvent, Tokens: 7})
				for range tt.more {
					lines = append(lines, Injection{V: 1, ID: "note-1", Session: session, At: at, Used: &yes})
				}
				if err := durable.AppendLines(u.path, encode(lines), &u.torn); err != nil {
					t.Fatal(err)
				}
			}
			before := fileSize(t, u.path)
			for _, when := range []string{"compacted", "read again"} {
				u = OpenLog(home, quiet)
				injected := u.Since(time.Time{})
				if len(injected) != tt.keep || u.Uses("note-1") != tt.keep*min(1, tt.more) {
					t.Errorf("%s: %d injections, %d uses, want %d", when, len(injected), u.Uses("note-1"), tt.keep)
				}
				if injected[0].Tokens != 7 || injected[0].Event != PromptEvent {
					t.Errorf("%s: %+v, want 7 tokens at a prompt", when, injected[0])
				}
			}
			if got := fileSize(t, u.path); (got < before) != tt.shrinks {
				t.Errorf("%d bytes of %d, want it to shrink: %v", got, before, tt.shrinks)
			}
			if tt.more > 0 && len(u.Unused("s000000", false)) != 0 {
				t.Errorf("the oldest injection is open, want it used or gone")
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

// A daemon that runs for months retains no more than one that was just started.
func TestUsageIsCompactedWhileRunning(t *testing.T) {
	u := OpenLog(t.TempDir(), quiet)
	for i := range compactAt + 10 {
		at := noon.Add(time.Duration(i) * time.Second)
		u.Append([]Injection{{V: 1, ID: "note-1", Session: fmt.Sprintf("s%06d", i), At: at}})
	}
	if got, want := len(u.Since(time.Time{})), maxInjections+10; got != want {
		t.Errorf("%d injections, want %d", got, want)
	}
	if got := len(OpenLog(filepath.Dir(u.path), quiet).Since(time.Time{})); got != maxInjections+10 {
		t.Errorf("%d injections in the file, want %d", got, maxInjections+10)
	}
}
