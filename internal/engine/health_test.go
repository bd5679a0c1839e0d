package engine

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// A line of a log that cannot be read is a problem of its own kind.
func TestHealthNamesUnreadableLines(t *testing.T) {
	home := newHome(t)
	path := filepath.Join(home, "memories", "inbox.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("no JSON\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var h api.Health
	openIdle(t, home).Health(&h)
	if len(h.Details) != 1 || h.Details[0].Kind != api.LogProblem || !strings.HasPrefix(h.Problems[0], "inbox.jsonl:1: ") {
		t.Errorf("Health() = %q, %+v, want the line", h.Problems, h.Details)
	}
}

// A log that cannot be read is named, and silences no other source: they are recalled and
// captured. What it refused is captured once it can be read.
func TestUnreadableLog(t *testing.T) {
	home := newHome(t)
	log := filepath.Join(home, "memories", "episodes.jsonl")
	if err := os.MkdirAll(log, 0o700); err != nil {
		t.Fatal(err)
	}
	r := start(t, home)
	id := r.remember("the database pool has 40 connections")[0]
	r.search("pool")
	if got := r.recollect("s1"); !slices.Contains(got, id) {
		t.Errorf("prompt injects %v, want %s", got, id)
	}
	h := r.health()
	if len(h.Problems) != 1 || !strings.Contains(h.Problems[0], "episodes.jsonl: cannot be read: ") {
		t.Errorf("problems %q, want one that names the log", h.Problems)
	}
	path := filepath.Join(t.TempDir(), "s1.jsonl")
	text := turn("1", "from now on always run the tests with the race detector", "I will.") + turn("2", "why do the trains arrive late?", "The signals fail in the cold.")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	flush := func() {
		t.Helper()
		if err := r.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: path, Reason: "Stop"}); err != nil {
			t.Fatal(err)
		}
		r.settled()
	}
	flush()
	if got := r.sources(); got[memory.Preferences] != 1 || got[memory.Episodes] != 0 {
		t.Errorf("captured %v, want the preference alone", got)
	}
	if err := os.Remove(log); err != nil {
		t.Fatal(err)
	}
	flush()
	if got := r.sources(); got[memory.Preferences] != 1 || got[memory.Episodes] == 0 {
		t.Errorf("captured %v once the log can be read, want the episodes too", got)
	}
	if h := r.health(); len(h.Problems) != 0 {
		t.Errorf("problems %q afterwards, want none", h.Problems)
	}
}

// What a newer version wrote is left alone, and named.
func TestHealthNamesFilesOfANewerVersion(t *testing.T) {
	home := newHome(t)
	newer := map[string]string{
		"usage.jsonl": `{"v":2,"told":[1]}` + "\n", "outcomes.jsonl": `{"v":2,"runs":7}` + "\n", "stats.json": `{"v":2,"days":{}}`, "projects.json": `{"v":2}`, "moves.json": `{"v":2,"now":{}}`, "retention.json": `{"v":2}`, "verdicts.json": `{"v":2}`,
		"forgotten.jsonl": `{"v":2,"rule":1}` + "\n", "sessions/s1.json": `{"v":2}`,
	}
	for name, text := range newer {
		path := filepath.Join(home, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	r := start(t, home)
	r.remember("the database pool has 40 connections")
	r.search("pool")
	r.recollect("s1")
	h := r.health()
	for name := range newer {
		named := slices.ContainsFunc(h.Details, func(p api.Problem) bool {
			return p.Kind == api.StateProblem && strings.HasPrefix(p.Text, filepath.Base(name)+": a newer recollect wrote ")
		})
		if !named {
			t.Errorf("problems %q, want %s among them", h.Problems, name)
		}
	}
	r.end()
	for name, want := range newer {
		b, err := os.ReadFile(filepath.Join(home, filepath.FromSlash(name)))
		if err != nil || !strings.HasPrefix(string(b), want) {
			t.Errorf("%s became %q, %v", name, b, err)
		}
	}
}
