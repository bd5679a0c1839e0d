package engine

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/transcript"
	"recollect/internal/api"
	"recollect/internal/memory"
)

// pastFolder makes a folder of transcripts as Claude Code has it, with the samples as past
// sessions, and returns the path of the transcript of a new session in it.
func pastFolder(t *testing.T) string {
	t.Helper()
	root := filepath.Join(t.TempDir(), "c", "projects")
	if err := os.CopyFS(root, os.DirFS(filepath.Join("..", "..", "testdata", "transcripts", "projects"))); err != nil {
		t.Fatal(err)
	}
	files, err := transcript.Files(root)
	if err != nil {
		t.Fatal(err)
	}
	for i, path := range files { // in an order that is not that of their names
		at := time.Date(2026, 10, 1+i*7%len(files), 0, 0, 0, 0, time.UTC)
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(root, "-home-dev-src-app", "new.jsonl")
}

// begin begins a session, and returns what its user is told.
func (r *running) begin(id, path string) string {
	r.t.Helper()
	out, err := r.Orient(r.t.Context(), api.Session{SessionID: id, Cwd: "/home/dev/src/app", TranscriptPath: path, Reason: "startup"})
	if err != nil {
		r.t.Fatal(err)
	}
	return out.Notice
}

// learned waits until the past sessions are imported.
func (r *running) learned() api.PastSessions {
	r.t.Helper()
	r.until("past sessions are imported", func() bool { p := r.health().Past; return p != nil && p.State == "done" })
	return *r.health().Past
}

// memories returns all memories by id, without the time of their recording.
func (r *running) memories() map[string]memory.Memory {
	r.t.Helper()
	all := map[string]memory.Memory{}
	for m, err := range r.Store.All() {
		if err != nil {
			r.t.Fatal(err)
		}
		m.RecordedAt = time.Time{}
		all[m.ID] = m
	}
	return all
}

// The first session imports those before it, and its user is told once; so is the user of the
// next one once that is done. The memories are those of an import by hand.
func TestPastSessions(t *testing.T) {
	path := pastFolder(t)
	byHand := start(t, newHome(t))
	files, err := transcript.Files(filepath.Dir(filepath.Dir(path)))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		if _, err := byHand.Import(t.Context(), api.Import{Path: file}); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := byHand.Consolidate(t.Context(), api.Consolidate{}); err != nil {
		t.Fatal(err)
	}
	if got := byHand.begin("s1", path); strings.Contains(got, "past") {
		t.Errorf("a user who imported the sessions is told %q", got)
	}

	r := start(t, newHome(t))
	const found = "recollect: 10 past sessions found; learning from them in the background (! recollect status)"
	if got := r.begin("s1", path); got != found+offer {
		t.Errorf("the first session: %q, want %q", got, found+offer)
	}
	past := r.learned()
	if past.Files != len(files) || past.Done != len(files) || past.Added == 0 {
		t.Errorf("past sessions: %+v, want %d files", past, len(files))
	}
	if got, want := r.begin("s2", path), fmt.Sprintf("recollect: learned %d memories from 10 past sessions", past.Added); got != want {
		t.Errorf("the second session: %q, want %q", got, want)
	}
	if got := r.begin("s3", path); got != "" {
		t.Errorf("the third session: %q, want nothing", got)
	}
	if diff := cmp.Diff(byHand.memories(), r.memories()); diff != "" {
		t.Errorf("memories differ (-by hand +in the background):\n%s", diff)
	}
}

// offer is what the first session with a notice is told behind it.
const offer = "\nrecollect: the status line can show what Claude gets with each prompt (! recollect statusline install)"

// With import.auto = false the user is told once how to import.
func TestPastSessionsAsked(t *testing.T) {
	path, home := pastFolder(t), newHome(t)
	configure(t, home, "[import]\nauto = false\n")
	r := start(t, home)
	const want = "recollect: 10 past sessions found; ! recollect import learns from them"
	if got := r.begin("s1", path); got != want+offer {
		t.Errorf("the first session: %q, want %q", got, want+offer)
	}
	if got := r.begin("s2", path); got != "" {
		t.Errorf("the second session: %q, want nothing", got)
	}
	if n := r.Store.Len(); n != 0 {
		t.Errorf("%d memories, want none", n)
	}
	if past := r.health().Past; past == nil || past.State != "asked" {
		t.Errorf("past sessions: %+v, want them asked for", past)
	}
	configure(t, home, "")
	r.begin("s3", path)
	r.learned()
}

// Nothing is imported, and nobody is told, where nobody can want it.
func TestPastSessionsLeftAlone(t *testing.T) {
	tests := []struct {
		name    string
		prepare func(t *testing.T, home, path string) (transcript string)
	}{
		{"there are none", func(t *testing.T, _, path string) string {
			return filepath.Join(t.TempDir(), "c", "projects", "x", "new.jsonl")
		}},
		{"a transcript elsewhere", func(t *testing.T, _, path string) string {
			return filepath.Join(filepath.Dir(path), "x", "new.jsonl")
		}},
		{"no transcript", func(*testing.T, string, string) string { return "" }},
		{"capture is off", func(t *testing.T, home, path string) string {
			configure(t, home, "[hooks]\noff = [\"Stop\"]\n[import]\nauto = false\n")
			return filepath.Join(filepath.Dir(path), "x", "new.jsonl")
		}},
		{"memories were there before", func(t *testing.T, home, path string) string {
			e := start(t, home)
			e.remember("the database pool has 40 connections")
			e.end()
			if err := os.Remove(filepath.Join(home, "import.json")); err != nil {
				t.Fatal(err)
			}
			return path
		}},
		{"only this session", func(t *testing.T, _, _ string) string {
			path := filepath.Join(t.TempDir(), "c", "projects", "x", "new.jsonl")
			place(t, filepath.Dir(path), map[string]string{"new.jsonl": endedSession(t.TempDir())})
			return path
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := newHome(t)
			path := tt.prepare(t, home, pastFolder(t))
			r := start(t, home)
			before := r.Store.Len()
			for _, id := range []string{"s1", "s2"} {
				if got := r.begin(id, path); strings.Contains(got, "past session") {
					t.Errorf("%s: %q, want nothing", id, got)
				}
			}
			if past := r.health().Past; past != nil || r.Store.Len() != before {
				t.Errorf("past sessions: %+v, %d memories, want %d", past, r.Store.Len(), before)
			}
		})
	}
}

// Prompts are answered during the import, which goes on in the next daemon where this one ends,
// and reads no file twice.
func TestPastSessionsGoOn(t *testing.T) {
	path, home := pastFolder(t), newHome(t)
	files, done := 0, 0
	for restarts := 0; ; restarts++ {
		r := start(t, home)
		notice := r.begin(fmt.Sprint("s", restarts), path)
		if told := strings.Contains(notice, "found"); told != (restarts == 0) {
			t.Errorf("after %d restarts: %q", restarts, notice)
		}
		ctx, cancel := context.WithTimeout(t.Context(), patience)
		_, err := r.Recollect(ctx, api.Prompt{SessionID: "p", Prompt: "how big is the connection pool?", Cwd: "/home/dev/src/app"})
		cancel()
		if err != nil {
			t.Fatal(err)
		}
		past := r.health().Past
		if past.Done < done {
			t.Errorf("%d files are done, %d were", past.Done, done)
		}
		if files, done = past.Files, past.Done; past.State == "done" || restarts == 3 {
			if got := r.learned(); got.Done != files {
				t.Errorf("%+v, want %d files done", got, files)
			}
			return
		}
		r.until("a file is read", func() bool { return r.health().Past.Done > done })
		r.end()
	}
}
