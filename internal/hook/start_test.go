package hook

import (
	"io"
	"net/http"
	"os"
	"testing"
	"time"

	"recollect/internal/api"
)

// A start that has no answer is noted until it has one, unless the session is told nothing at its
// start.
func TestStartIsNoted(t *testing.T) {
	tests := []struct {
		name   string
		fire   func(t testing.TB, fields ...string) (stdout, stderr string)
		source string
		env    string           // that is set
		answer http.HandlerFunc // nil for no daemon
		missed bool
	}{
		{"answered", fire, "startup", "", replying(200, `{"context":"use max_open_conns"}`), false},
		{"answered with nothing", fire, "startup", "", replying(200, `{}`), false},
		{"no daemon", fireNow, "startup", "", nil, true},
		{"refused", fireNow, "startup", "", replying(500, `{}`), true},
		{"no answer", fireNow, "clear", "", silent, true},
		{"no answer after a compaction", fireNow, "compact", "", silent, true},
		{"resumed", fireNow, "resume", "", silent, false},
		{"forked", fireNow, "fork", "", silent, false},
		{"incognito", fireNow, "startup", "RECOLLECT_INCOGNITO", silent, false},
		{"clean", fireNow, "startup", "RECOLLECT_CLEAN", silent, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := newHome(t)
			if tt.env != "" {
				t.Setenv(tt.env, "1")
			}
			if tt.answer != nil {
				listen(t, home, tt.answer)
			}
			tt.fire(t, "hook_event_name", "SessionStart", "source", tt.source)
			s, missed := api.MissedStart(home, "s1", time.Now().Add(time.Minute))
			if missed != tt.missed {
				t.Errorf("missed = %t, want %t", missed, tt.missed)
			}
			if missed && (s.Reason != tt.source || s.Cwd != "/home/dev/src/app") {
				t.Errorf("noted as %+v", s)
			}
		})
	}
}

// The note is there before the daemon is asked: a hook that is late is ended at once.
func TestStartIsNotedBefore(t *testing.T) {
	home := newHome(t)
	noted := make(chan bool, 1)
	listen(t, home, func(w http.ResponseWriter, r *http.Request) {
		io.Copy(io.Discard, r.Body)
		_, missed := api.MissedStart(home, "s1", time.Now().Add(time.Minute))
		noted <- missed
		replying(200, `{}`)(w, r)
	})
	fire(t, "hook_event_name", "SessionStart", "source", "startup")
	if !<-noted {
		t.Error("nothing was noted when the daemon was asked")
	}
}

// A fallback from before a change of the settings may have what they switch off.
func TestFallbackFromBeforeAChange(t *testing.T) {
	for name, age := range map[string]time.Duration{"before": time.Minute, "after": -time.Minute} {
		home := newHome(t)
		path := leave(t, home, "s1", "the pool has 40 connections", "pool")
		if err := os.WriteFile(home+"/config.toml", nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := time.Now().Add(-age)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
		stdout, stderr := fire(t, prompt("how big is the pool?")...)
		if (stdout == "") != (name == "before") {
			t.Errorf("left %s the change: told %q; stderr %q", name, stdout, stderr)
		}
	}
}
