package usage

import (
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"recollect/internal/api"
)

// What is in the file stays readable when lines are added, and those of a newer
// version stay as they are.
func FuzzLog(f *testing.F) {
	f.Add([]byte(`{"v":1,"id":"dec-1","session":"s1","at":"2026-01-01T00:00:00Z","tokens":7}`+"\n"+`{"v":1,"id":"dec-1","session":"s1","used":true}`), []byte("{}"))
	f.Add([]byte(`{"v":2,"told":[{"x":1}]}`+"\n"), []byte(`{"v":2,"days":{}}`))
	f.Add([]byte("{\"v\":1\n\x00"+strings.Repeat("x", 2*maxUsageLine)), []byte(`{"2026-01-01":null,"x":{"recalls":{"a":null}}}`))
	f.Fuzz(func(t *testing.T, usage, stats []byte) {
		home, quiet, now := t.TempDir(), slog.New(slog.DiscardHandler), time.Now()
		for name, b := range map[string][]byte{"usage.jsonl": usage, "stats.json": stats} {
			if err := os.WriteFile(filepath.Join(home, name), b, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		u := OpenLog(home, quiet)
		u.Habits(nil)
		u.Add("s9", "Stop", []api.Injected{{ID: "dec-999"}}, now)
		if err := u.Forget(map[string]bool{"dec-999": true}); err != nil {
			t.Fatal(err)
		}
		u.Add("s9", "Stop", []api.Injected{{ID: "dec-888"}}, now)
		again := OpenLog(home, quiet)
		if _, ok := again.LastInjected()["dec-888"]; !ok || len(again.newer) != len(u.newer) {
			t.Errorf("after %q the file has %d lines of a newer version, want %d, and dec-888: %v", usage, len(again.newer), len(u.newer), ok)
		}
		tally := OpenTally(home, quiet)
		tally.Captured(now, nil)
		tally.Save(now, true)
		var out api.Stats
		OpenTally(home, quiet).Fill(&out, time.Time{})
		if out.Captured < 1 && tally.Newer() == nil {
			t.Errorf("after %q nothing was counted", stats)
		}
	})
}
