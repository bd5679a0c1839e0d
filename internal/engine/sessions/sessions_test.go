package sessions

import (
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/engine/forget"
	"recollect/internal/system/durable"
)

var quiet = slog.New(slog.DiscardHandler)

func TestRemoveOld(t *testing.T) {
	home := t.TempDir()
	now := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	tests := []struct {
		name  string
		age   time.Duration
		saved bool
	}{
		{"sessions/new.json", time.Hour, true},
		{"sessions/old.json", maxSessionAge + time.Hour, false},
		{"recollections/old.json", maxSessionAge + time.Hour, false},
		{"sessions/old.txt", maxSessionAge + time.Hour, true},
		{"memories/old.json", 10 * maxSessionAge, true},
	}
	for _, tt := range tests {
		path := filepath.Join(home, tt.name)
		if err := durable.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, now.Add(-tt.age), now.Add(-tt.age)); err != nil {
			t.Fatal(err)
		}
	}
	NewSessions(home, quiet).RemoveOld(now)
	for _, tt := range tests {
		if _, err := os.Stat(filepath.Join(home, tt.name)); (err == nil) != tt.saved {
			t.Errorf("%s: %v, want it kept = %t", tt.name, err, tt.saved)
		}
	}
}

// State that cannot be read is no reason to fail, and a path is no file name.
func TestSessionsFromDisk(t *testing.T) {
	home := t.TempDir()
	if err := durable.WriteFile(filepath.Join(home, "sessions", "torn.json"), []byte(`{"id":"torn","told":{"a`), 0o600); err != nil {
		t.Fatal(err)
	}
	ss := NewSessions(home, quiet)
	for _, id := range []string{"torn", "new", "../../x", "a/b"} {
		s := ss.Get(id)
		s.AddInjected(map[string]string{"note-1": "key"})
		if err := s.Save(); err != nil {
			t.Errorf("%q: Save() = %v", id, err)
		}
		again := NewSessions(home, quiet).Get(id)
		if again.ID != id || again.Injected["note-1"] != "key" || again.dir != filepath.Join(home, "sessions") {
			t.Errorf("%q: read again as %+v", id, again)
		}
	}
}

// Sessions that nobody asks for any more are let go of, and found again.
func TestSessionsAreBounded(t *testing.T) {
	ss := NewSessions(t.TempDir(), quiet)
	first := ss.Get("first")
	first.AddInjected(map[string]string{"note-1": "key"})
	if err := first.Save(); err != nil {
		t.Fatal(err)
	}
	if again := ss.Get("first"); again != first {
		t.Error("one session was read twice")
	}
	for i := range maxSessions {
		ss.Get(fmt.Sprint("s", i))
	}
	if n := ss.byID.Len(); n != maxSessions {
		t.Errorf("%d sessions are held, want %d", n, maxSessions)
	}
	if again := ss.Get("first"); again == first || again.Injected["note-1"] != "key" {
		t.Errorf("the first session is %+v, want it read from disk", again)
	}
}

// The lines of a handoff are injected one by one, but it is one memory, and forgotten as one.
func TestInjectedLines(t *testing.T) {
	s := Session{Injected: map[string]string{"hand-1#a": "a", "hand-1#b": "b", "dec-2": "c"}}
	if diff := cmp.Diff([]string{"dec-2", "hand-1"}, s.InjectedIDs()); diff != "" {
		t.Errorf("InjectedIDs (-want +got):\n%s", diff)
	}
	traces := forget.Traces{IDs: map[string]bool{"hand-1": true}, Within: func(string) bool { return false }}
	if !s.forget(traces, nil) {
		t.Error("nothing was forgotten")
	}
	if diff := cmp.Diff(map[string]string{"dec-2": "c"}, s.Injected); diff != "" {
		t.Errorf("after forgetting (-want +got):\n%s", diff)
	}
}

// What an earlier version wrote of what it had injected is read on, and written as it is called now.
func TestSessionOfEarlierVersion(t *testing.T) {
	home := t.TempDir()
	path := filepath.Join(home, "sessions", "s1.json")
	if err := durable.WriteFile(path, []byte(`{"id":"s1","told":{"note-1":"key"}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	s := NewSessions(home, quiet).Get("s1")
	if s.Injected["note-1"] != "key" {
		t.Errorf("injected %v, want the note", s.Injected)
	}
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	if b, err := os.ReadFile(path); err != nil || strings.Contains(string(b), "told") || !strings.Contains(string(b), `"injected"`) {
		t.Errorf("saved as %s, %v", b, err)
	}
}

// A session that begins asks about others while it is locked, also while Forget waits for it.
func TestHadPromptWhileForgetting(t *testing.T) {
	home := t.TempDir()
	ss := NewSessions(home, quiet)
	for id, prompt := range map[string]string{"left": "", "went on": "why does it hang?"} {
		s := ss.Get(id)
		s.LastPrompt = prompt
		if err := s.Save(); err != nil {
			t.Fatal(err)
		}
	}
	begins := ss.Get("begins")
	begins.Lock()
	forgotten := make(chan struct{})
	go func() {
		ss.Forget(forget.Traces{Within: func(string) bool { return false }})
		close(forgotten)
	}()
	for ss.mu.TryLock() { // until Forget has it
		ss.mu.Unlock()
		runtime.Gosched()
	}
	asked := make(chan [2]bool)
	go func() { asked <- [2]bool{ss.HadPrompt("left"), ss.HadPrompt("went on")} }()
	select {
	case got := <-asked:
		if got != [2]bool{false, true} {
			t.Errorf("HadPrompt() = %v, want that one went on", got)
		}
	case <-time.After(10 * time.Second):
		t.Error("the session that begins and Forget wait for each other")
	}
	begins.Unlock()
	<-forgotten
}

// The last prompts are known, also after a restart, and no prompt without an id is.
func TestPromptsOfASession(t *testing.T) {
	home := t.TempDir()
	s := NewSessions(home, quiet).Get("s1")
	for i := range mostPrompts + 1 {
		s.AddPrompt(fmt.Sprint("p", i))
		s.AddPrompt(fmt.Sprint("p", i))
		s.AddPrompt("")
	}
	if err := s.Save(); err != nil {
		t.Fatal(err)
	}
	s = NewSessions(home, quiet).Get("s1")
	if s.HasPrompt("p0") || !s.HasPrompt("p1") || !s.HasPrompt(fmt.Sprint("p", mostPrompts)) || s.HasPrompt("") {
		t.Errorf("known are %q, want the last %d", s.Prompts, mostPrompts)
	}
}
