package engine

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// place writes files below a folder, and their folders.
func place(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// What Claude reads by itself is not told at the start of a session.
func TestInstructionsAreNotRepeated(t *testing.T) {
	const rule = "We write British spelling only, never American."
	tests := []struct {
		name     string
		files    map[string]string
		injected bool
	}{
		{"no instructions", nil, true},
		{"about something else", map[string]string{"app/CLAUDE.md": "Build with make."}, true},
		{"of the project", map[string]string{"app/CLAUDE.md": rule}, false},
		{"its own folder's", map[string]string{"app/.claude/CLAUDE.md": rule}, false},
		{"of this machine alone", map[string]string{"app/CLAUDE.local.md": rule}, false},
		{"of the folder above", map[string]string{"CLAUDE.md": rule}, false},
		{"of a sub-folder that the session begins in", map[string]string{"app/api/CLAUDE.md": rule}, false},
		{"of another sub-folder", map[string]string{"app/web/CLAUDE.md": rule}, true},
		{"for any agent", map[string]string{"app/AGENTS.md": rule}, false},
		{"for other agents", map[string]string{"app/AGENTS.md": rule, "app/CLAUDE.md": "Build with make."}, true},
		{"for any agent, imported", map[string]string{"app/AGENTS.md": rule, "app/CLAUDE.md": "@AGENTS.md"}, false},
		{"of the user", map[string]string{"c/CLAUDE.md": rule}, false},
		{"Claude Code's own memory", map[string]string{"c/projects/x/memory/MEMORY.md": "- [spelling](spelling.md): " + rule}, false},
		{"its memory of the project", map[string]string{"c/projects/{app}/memory/MEMORY.md": rule}, false},
		{"beyond what is read", map[string]string{"app/CLAUDE.md": strings.Repeat("x", 64<<10) + "\n\n" + rule}, true},
		{"a folder of that name", map[string]string{"app/CLAUDE.md/x": rule}, true},
	}
	r := start(t, newHome(t))
	m := memory.Memory{Source: memory.Preferences, Title: "British spelling, never American", AppliesTo: "global"}
	if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(m), Cwd: "/home/dev/src/app"}); err != nil {
		t.Fatal(err)
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			place(t, root, map[string]string{"app/.git/HEAD": "ref: refs/heads/main\n", "app/api/x.go": "package api"})
			for name, text := range tt.files {
				name = strings.ReplaceAll(name, "{app}", nameless.ReplaceAllString(filepath.Join(root, "app"), "-"))
				place(t, root, map[string]string{name: text})
			}
			s := api.Session{Cwd: filepath.Join(root, "app", "api"), TranscriptPath: filepath.Join(root, "c", "projects", "x", "s.jsonl")}
			got, err := r.Resume(t.Context(), s)
			if err != nil || (len(got.Injected) == 1) != tt.injected {
				t.Errorf("injected %q, %v; the preference: want %t", got.Context, err, tt.injected)
			}
		})
	}
}

// Whoever asks what a session would be told takes nothing from it.
func TestResumeLeavesNoTrace(t *testing.T) {
	r := start(t, newHome(t))
	r.remember("the database pool has 40 connections")
	m := memory.Memory{Source: memory.Goals, Title: "ship the checkout"}
	if _, err := r.Remember(t.Context(), api.Remember{Memories: memory.Drafts(m), Cwd: "/home/dev/src/app"}); err != nil {
		t.Fatal(err)
	}
	s := api.Session{SessionID: "s1", Cwd: "/home/dev/src/app"}
	first, err := r.Resume(t.Context(), s)
	if err != nil || len(first.Injected) != 1 {
		t.Fatalf("injected %q, %v; want one goal", first.Context, err)
	}
	again, err := r.Resume(t.Context(), s)
	if diff := cmp.Diff(first.Injected, again.Injected); err != nil || diff != "" {
		t.Errorf("the second time %v:\n%s", err, diff)
	}
	if ids := r.orient("s1", "startup"); len(ids) != 1 {
		t.Errorf("the session itself was given %q, want the goal", ids)
	}
}

// A session that was cleared hands over to the one that begins, although it
// was heard of only a moment ago.
func TestClearHandsOver(t *testing.T) {
	r := start(t, newHome(t))
	dir := t.TempDir()
	place(t, dir, map[string]string{"s1.jsonl": endedSession(dir)})
	err := r.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: filepath.Join(dir, "s1.jsonl"), Cwd: dir, Reason: "SessionEnd"})
	if err != nil {
		t.Fatal(err)
	}
	got, err := r.Orient(t.Context(), api.Session{SessionID: "s2", Cwd: dir, Reason: "clear"})
	if err != nil || !strings.Contains(got.Context, "add a retry to the upload of invoices") {
		t.Errorf("injected %q, %v; want the handoff", got.Context, err)
	}
	err = r.Flush(t.Context(), api.Flush{SessionID: "s1", TranscriptPath: filepath.Join(dir, "s1.jsonl"), Cwd: dir, Reason: "PreCompact"})
	if err != nil {
		t.Fatal(err)
	}
	got, err = r.Orient(t.Context(), api.Session{SessionID: "s1", Cwd: dir, Reason: "compact"})
	if err != nil || strings.Contains(got.Context, "add a retry to the upload") {
		t.Errorf("injected %q, %v; its own handoff stands in the summary", got.Context, err)
	}
}

// A handoff is written on demand, of the newest session of the project.
func TestHandoffNow(t *testing.T) {
	r := start(t, newHome(t))
	here, elsewhere := t.TempDir(), t.TempDir()
	place(t, here, map[string]string{"s1.jsonl": endedSession(here), "broken.jsonl": "no transcript\n", "empty.jsonl": ""})
	place(t, elsewhere, map[string]string{"s2.jsonl": endedSession(elsewhere)})
	ask := func(names ...string) (api.Shown, error) {
		return r.Handoff(t.Context(), api.Handoff{Cwd: here, Transcripts: names})
	}
	if m, err := ask(); err == nil || !strings.Contains(err.Error(), "no session of project") {
		t.Errorf("without transcripts: %q, %v", m.Title, err)
	}
	if m, err := ask(filepath.Join(elsewhere, "s2.jsonl"), filepath.Join(here, "broken.jsonl"), filepath.Join(here, "gone.jsonl")); err == nil {
		t.Errorf("with none of the project: %q", m.Title)
	}
	if m, err := ask(append(oddFiles(t, here), here)...); err == nil {
		t.Errorf("with none that is a file: %q", m.Title)
	}
	m, err := ask(filepath.Join(here, "empty.jsonl"), filepath.Join(elsewhere, "s2.jsonl"), filepath.Join(here, "s1.jsonl"))
	if err != nil || m.Source != memory.Handoffs || m.Session != "s1" || m.ProjectPath != here {
		t.Errorf("handoff = %+v, %v; want that of s1", m, err)
	}
	again, err := ask(filepath.Join(here, "s1.jsonl"))
	if err != nil || again.ID != m.ID {
		t.Errorf("the second time %s, %v; want %s", again.ID, err, m.ID)
	}
}

// endedSession is the transcript of a session in dir that changed a file.
func endedSession(dir string) string {
	return strings.ReplaceAll(`{"type":"user","uuid":"a1","sessionId":"s1","cwd":"DIR","timestamp":"2026-10-01T10:00:00Z","message":{"role":"user","content":"add a retry to the upload of invoices"}}
{"type":"assistant","uuid":"a2","sessionId":"s1","cwd":"DIR","timestamp":"2026-10-01T10:00:05Z","message":{"id":"m1","model":"claude-opus-5-5","role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Edit","input":{"file_path":"DIR/upload.go","old_string":"a","new_string":"b"}}]}}
{"type":"user","uuid":"a3","sessionId":"s1","cwd":"DIR","timestamp":"2026-10-01T10:00:06Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"The file has been updated."}]}}
{"type":"assistant","uuid":"a4","sessionId":"s1","cwd":"DIR","timestamp":"2026-10-01T10:00:09Z","message":{"id":"m2","model":"claude-opus-5-5","role":"assistant","content":[{"type":"text","text":"The upload is tried three times now. Next: the same for the download."}]}}
`, "DIR", dir)
}

// nameless are the characters that Claude Code leaves out of the names of its
// folders, such as "/" and ".".
var nameless = regexp.MustCompile(`[^A-Za-z0-9]`)
