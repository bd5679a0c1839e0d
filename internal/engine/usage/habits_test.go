package usage

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"recollect/internal/memory"
)

// logged returns a log with so many injections into each of some sessions, of which Claude used some.
func logged(t *testing.T, sessions, each, used int) *Log {
	t.Helper()
	u := OpenLog(t.TempDir(), quiet)
	for s := range sessions {
		session, at := fmt.Sprint("s", s), noon.Add(time.Duration(s)*time.Hour)
		var lines []Injection
		for i := range each {
			line := Injection{V: 1, ID: fmt.Sprintf("note-%d-%d", s, i), Session: session, At: at, Event: PromptEvent}
			lines = append(lines, line, line.Assessment(s*each+i < used, at))
		}
		u.Append(lines)
	}
	return u
}

func TestHabits(t *testing.T) {
	wrong := func(string) (bool, bool) { return false, true }
	useful := func(string) (bool, bool) { return true, false }
	tests := []struct {
		name                 string
		sessions, each, used int
		said                 func(string) (bool, bool)
		injected             int
		low, high            float64
	}{
		{"little use is not known yet", 3, 5, 0, nil, 15, -0.06, -0.04},
		{"little use", 20, 5, 0, nil, 100, -0.25, -0.25},
		{"little use of much", 100, 5, 2, nil, 300, -0.25, -0.25},
		{"no less than by chance", 20, 5, 2, nil, 100, 0, 0},
		{"much use", 60, 5, 300, nil, 300, 0, 0},
		{"one long session", 1, 400, 0, nil, 10, -0.04, -0.03},
		{"one session, of which all is wrong", 1, 400, 0, wrong, 10, -0.3, -0.25},
		{"all is wrong", 60, 5, 0, wrong, 300, -0.5, -0.5},
		{"all is useful", 60, 5, 0, useful, 300, 0, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := logged(t, tt.sessions, tt.each, tt.used).Habits(tt.said)
			if h.Injected != tt.injected || h.Worth < tt.low-1e-9 || h.Worth > tt.high+1e-9 {
				t.Errorf("%d injections change the worth by %v, want %d and %v to %v", h.Injected, h.Worth, tt.injected, tt.low, tt.high)
			}
		})
	}
}

// A source of which the owner speaks worse than of the rest loses, within its bound, and one of which nothing is said
// neither gains nor loses.
func TestHabitsOfSources(t *testing.T) {
	u := logged(t, 10, 3, 0)
	for s := range 10 {
		for _, id := range []string{fmt.Sprint("dec-", s), fmt.Sprint("th-", s)} {
			line := Injection{V: 1, ID: id, Session: fmt.Sprint("t", s), At: noon, Event: PromptEvent}
			u.Append([]Injection{line, line.Assessment(false, noon)})
		}
	}
	h := u.Habits(func(id string) (useful, wrong bool) {
		src, _ := memory.SourceOf(id)
		return src == memory.Journal, src == memory.Thinking
	})
	if a, b := h.Of(memory.Journal), h.Of(memory.Thinking); a <= 0.1 || a > mostOfSource || b >= -0.1 || b < -mostOfSource {
		t.Errorf("what is useful gains %v, what is wrong %v", a, b)
	}
	if n := h.Of(memory.Inbox); n != 0 || h.Useful != 10 || h.Wrong != 10 {
		t.Errorf("what nothing is said of gains %v, beside %d useful and %d wrong", n, h.Useful, h.Wrong)
	}
}

// What was injected otherwise, or is not known to be used or not, teaches nothing, nor does what was forgotten. A damaged
// file does no harm.
func TestHabitsOfNothing(t *testing.T) {
	home := t.TempDir()
	u := OpenLog(home, quiet)
	if h := u.Habits(nil); h != nil || h.Of(memory.Journal) != 0 {
		t.Errorf("learned %+v of an empty log", h)
	}
	start := Injection{V: 1, ID: "note-1", Session: "s1", At: noon, Event: StartEvent}
	u.Append([]Injection{start, start.Assessment(false, noon)})
	u.Add("s2", PromptEvent, injectedAs("note-1"), noon)
	if h := u.Habits(nil); h != nil {
		t.Errorf("learned %+v of the start of a session and of a turn that goes on", h)
	}
	known := Injection{V: 1, ID: "note-1", Session: "s2", At: noon}
	u.Append([]Injection{known.Assessment(true, noon)})
	file := filepath.Join(home, "usage.jsonl")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	damaged := append([]byte("{\"v\":1,\"id\":\"\x00\",\"used\":7}\n\x00\xff}{\n{\"id\":\"what-1\",\"event\":\"UserPromptSubmit\",\"at\":\"9999-12-31T00:00:00Z\",\"used\":false}\n"), text...)
	if err := os.WriteFile(file, append(damaged, `{"v":1,"id":"note-9","us`...), 0o600); err != nil {
		t.Fatal(err)
	}
	u = OpenLog(home, quiet)
	if h := u.Habits(nil); h == nil || h.Injected != 2 || h.Used != 1 || h.Worth != 0 {
		t.Errorf("learned %+v of a damaged file", h)
	}
	if err := u.Forget(map[string]bool{"note-1": true, "what-1": true}); err != nil {
		t.Fatal(err)
	}
	if h := u.Habits(nil); h != nil {
		t.Errorf("learned %+v of what was forgotten", h)
	}
}
