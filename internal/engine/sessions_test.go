package engine

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/engine/usage"
	"recollect/internal/memory"
)

func wordsOf(b []byte) []string { return regexp.MustCompile(`\w+`).FindAllString(string(b), -1) }

const poolPrompt = "how many connections has the database pool?"

// recollect returns the ids that a session is told with the pool's prompt.
func (r *running) recollect(session string) []string {
	r.t.Helper()
	got, err := r.Recollect(r.t.Context(), api.Prompt{SessionID: session, Prompt: poolPrompt, Cwd: "/home/dev/src/app"})
	if err != nil {
		r.t.Fatal(err)
	}
	return idsOf(got)
}

// orient returns the ids that a session is told when it begins.
// idsOf returns the ids of what was injected, an empty list for nothing.
func idsOf(r api.Recollection) []string {
	ids := []string{}
	for _, b := range r.Injected {
		ids = append(ids, b.ID)
	}
	return ids
}

func (r *running) orient(session, reason string) []string {
	r.t.Helper()
	got, err := r.Orient(r.t.Context(), api.Session{SessionID: session, Cwd: "/home/dev/src/app", Reason: reason})
	if err != nil {
		r.t.Fatal(err)
	}
	return idsOf(got)
}

// What a hook did not wait for does not count as injected: the next event brings it, and
// the prompt is not one that the next is compared with.
func TestHookThatLeaves(t *testing.T) {
	left := errors.New("broken pipe")
	r := start(t, newHome(t))
	id := r.remember("the database pool has 40 connections")[0]
	r.learn(memory.Memory{Source: memory.Preferences, Title: "British spelling, never American", AppliesTo: "global"})
	prompt := api.Prompt{SessionID: "s1", Prompt: poolPrompt, Cwd: "/home/dev/src/app"}
	if out, err := askAndLeave(t.Context(), r.Engine.Recollect, prompt, left); err != nil || len(out.Injected) == 0 {
		t.Errorf("Recollect() = %v, %v, want something to inject", out, err)
	}
	begun := api.Session{SessionID: "s1", Cwd: prompt.Cwd, Reason: "startup"}
	if out, err := askAndLeave(t.Context(), r.Engine.Orient, begun, left); err != nil || len(out.Injected) == 0 {
		t.Errorf("Orient() = %v, %v, want something to inject", out, err)
	}
	r.settled()
	if s := r.sessions.Get("s1"); len(s.Injected) != 0 || s.LastPrompt != "" || len(s.Passed) != 0 {
		t.Errorf("session %+v, want nothing recorded", s)
	}
	if got := r.usage.Since(time.Time{}); len(got) != 0 {
		t.Errorf("%d injections recorded, want none", len(got))
	}
	if got := r.recollect("s1"); !slices.Contains(got, id) {
		t.Errorf("next prompt injects %v, want %s", got, id)
	}
}

// A session's own memories are in its context, whatever of its id the store does not have.
func TestOwnMemoriesByCleanedID(t *testing.T) {
	r := start(t, newHome(t))
	const id = "nightly\u202e \x1b[31mrun"
	m := note("the database pool has 40 connections")
	m.Session, m.OccurredAt = id, time.Now()
	r.learn(m)
	if got := r.recollect(id); len(got) != 0 {
		t.Errorf("injected %v into the session that they are of", got)
	}
	if got := r.recollect("another"); len(got) != 1 {
		t.Errorf("injected %v into another session, want the note", got)
	}
}

// What explains a prompt in a session knows what was injected into it, and changes nothing
// of it, nor of a session that does not exist.
func TestExplainInSession(t *testing.T) {
	r := start(t, newHome(t))
	id := r.remember("the database pool has 40 connections")[0]
	r.search("pool")
	if got := r.recollect("s1"); !slices.Contains(got, id) {
		t.Fatalf("first prompt injects %v, want %s", got, id)
	}
	r.settled()
	file := filepath.Join(r.Home, "sessions", "s1.json")
	saved, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for session, want := range map[string]string{"": api.OutcomeInjected, "s1": api.OutcomeAlready} {
		got, err := r.Explain(t.Context(), api.Prompt{SessionID: session, Prompt: poolPrompt, Cwd: "/home/dev/src/app"})
		if err != nil || len(got.Candidates) == 0 || got.Candidates[0].ID != id || got.Candidates[0].Outcome != want {
			t.Errorf("in session %q: %+v, %v, want outcome %q", session, got.Candidates, err, want)
		}
		if session != "" {
			state := &api.SessionState{ID: "s1", LastPrompt: poolPrompt, Injected: []string{id}, Passed: []string{id}}
			if diff := cmp.Diff(state, got.Session); diff != "" {
				t.Errorf("state (-want +got):\n%s", diff)
			}
		}
	}
	r.settled()
	if got, err := os.ReadFile(file); err != nil || string(got) != string(saved) {
		t.Errorf("state of the session became %s, %v, was %s", got, err, saved)
	}
	var bad *api.BadRequest
	if _, err := r.Explain(t.Context(), api.Prompt{SessionID: "s2", Prompt: poolPrompt}); !errors.As(err, &bad) {
		t.Errorf("in an unknown session: %v, want a refusal", err)
	}
	if _, known := r.sessions.Find("s2"); known {
		t.Error("a session was made of the question")
	}
}

func TestInjectedOnce(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	r.remember("the database pool has 40 connections")
	r.search("pool")
	nothing := func() []string { return nil }
	restart := func() []string { r.end(); r = start(t, home); return nil }
	orient := func(reason string) func() []string {
		return func() []string { return r.orient("s1", reason) }
	}
	steps := []struct {
		name          string
		before        func() []string
		first, prompt int // told before, and with the prompt
	}{
		{"at first", nothing, 0, 1},
		{"not again", nothing, 0, 0},
		{"not after a restart", restart, 0, 0},
		{"not when it is resumed", orient("resume"), 0, 0},
		{"not when it is forked", orient("fork"), 0, 0},
		{"not when it begins once more", orient("startup"), 0, 0},
		{"again after a compaction", orient("compact"), 1, 0},
		{"and then no more", nothing, 0, 0},
		{"a compaction survives a restart", func() []string { ids := r.orient("s1", "compact"); restart(); return ids }, 1, 0},
		{"again after a clear, when it is asked for", orient("clear"), 0, 1},
	}
	for _, s := range steps {
		if got := s.before(); len(got) != s.first {
			t.Errorf("%s: told %q before the prompt, want %d", s.name, got, s.first)
		}
		if got := r.recollect("s1"); len(got) != s.prompt {
			t.Errorf("%s: told %q, want %d", s.name, got, s.prompt)
		}
	}
	if got := r.recollect("s2"); len(got) != 1 {
		t.Errorf("another session: told %q, want 1", got)
	}
	if a, b := r.recollect(""), r.recollect(""); len(a) != 1 || len(b) != 1 {
		t.Errorf("no session: told %q and %q, want 1 each time", a, b)
	}
}

// scarce makes a home where a prompt is told one memory of several. They are
// alike, the tests ask the same again, and among three no word is rare: none of
// this may hold them back.
func scarce(t *testing.T) (*running, []string) {
	t.Helper()
	home := newHome(t)
	configure(t, home, "[recall]\nmin_worth = 0\n[budget]\nitems = 1\n[embedder]\nkind = \"off\"\n[sources.inbox]\nmin_relevance = 0.1\n")
	r := start(t, home)
	ids := r.remember("the database pool has 40 connections", "the database pool had 20 connections", "the database pool gets 60 connections")
	r.search("pool")
	return r, ids
}

// fallback waits until one is left for a session and returns the ids in it.
func (r *running) fallback(session string) (path string, ids []string) {
	r.t.Helper()
	path = api.FallbackPath(r.Home, session)
	var f api.Fallback
	r.until("a fallback is left", func() bool {
		b, err := os.ReadFile(path)
		return err == nil && json.Unmarshal(b, &f) == nil
	})
	for _, b := range f.Injected {
		ids = append(ids, b.ID)
	}
	if f.Context == "" || len(f.Terms) == 0 || len(ids) != 1 {
		r.t.Fatalf("fallback = %+v, want one memory and terms", f)
	}
	return path, ids
}

// finished waits until the chores that were queued before are done.
func (r *running) settled() {
	r.t.Helper()
	transcript := filepath.Join(r.Home, "settled.md")
	title := time.Now().Format(time.RFC3339Nano)
	if err := os.WriteFile(transcript, []byte("# settled "+title+"\n\nat "+title+"\n"), 0o600); err != nil {
		r.t.Fatal(err)
	}
	if err := r.Flush(r.t.Context(), api.Flush{TranscriptPath: transcript}); err != nil {
		r.t.Fatal(err)
	}
	r.until("chores are done", func() bool {
		found, err := r.Export(r.t.Context(), api.Page{})
		if err != nil {
			r.t.Fatal(err)
		}
		return slices.ContainsFunc(found.Memories, func(m memory.Memory) bool { return m.Title == "settled "+title })
	})
}

func (r *running) count() int {
	h := r.health()
	return h.Memories
}

func TestFallback(t *testing.T) {
	r, _ := scarce(t)
	first := r.recollect("s1")
	path, left := r.fallback("s1")
	if len(first) != 1 || left[0] == first[0] {
		t.Fatalf("injected %q and left %q", first, left)
	}
	os.Remove(path) // as the hook does that tells it
	third := r.recollect("s1")
	if len(third) != 1 || third[0] == first[0] || third[0] == left[0] {
		t.Errorf("injected %q, then the fallback %q, then %q: want three", first, left, third)
	}
	if got := r.recollect("s1"); len(got) != 0 {
		t.Errorf("injected %q, want nothing: all of it was injected", got)
	}
	r.until("no fallback is left", func() bool { _, err := os.Stat(path); return err != nil })
}

// A fallback that was injected must not be left again by a flush that comes
// before the next prompt.
func TestFallbackIsInjectedOnce(t *testing.T) {
	r, _ := scarce(t)
	r.recollect("s1")
	path, first := r.fallback("s1")
	r.settled()
	os.Remove(path)
	if err := r.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: filepath.Join(r.Home, "none.jsonl")}); err != nil {
		t.Fatal(err)
	}
	r.settled()
	if _, second := r.fallback("s1"); second[0] == first[0] {
		t.Errorf("left %q again after it was told", second)
	}
}

// What a fallback told before a compaction is gone from the context like
// everything else.
func TestFallbackBeforeCompaction(t *testing.T) {
	r, ids := scarce(t)
	r.recollect("s1")
	path, _ := r.fallback("s1")
	r.settled()
	os.Remove(path)
	injected := map[string]bool{}
	for _, id := range r.orient("s1", "compact") {
		injected[id] = true
	}
	r.settled()
	for range ids {
		for _, id := range r.recollect("s1") {
			injected[id] = true
		}
	}
	if len(injected) != len(ids) {
		t.Errorf("injected %v after the compaction, want all of %q", injected, ids)
	}
}

// A fallback that nobody told stays a fallback.
func TestFallbackSurvivesRestart(t *testing.T) {
	r, ids := scarce(t)
	r.recollect("s1")
	path, left := r.fallback("s1")
	r.end()
	os.Remove(path)
	r = start(t, r.Home)
	r.embedded(len(ids))
	if got := r.recollect("s1"); len(got) != 1 || got[0] == left[0] {
		t.Errorf("injected %q after the fallback %q was injected while no daemon ran", got, left)
	}
}

func TestUsageCounts(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	id := r.remember("the database pool has 40 connections")[0]
	r.search("pool")
	for _, s := range []string{"s1", "s2", "s2"} {
		r.recollect(s)
	}
	r.end()
	u := usage.OpenLog(home, quiet)
	if injected, used := len(u.Since(time.Time{})), u.Uses(id); injected != 2 || used != 0 {
		t.Errorf("injected %d times, used %d, want once in each of two sessions and not used", injected, used)
	}
}
