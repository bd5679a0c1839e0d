package agents

import (
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFiles(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"s/rollout-1.jsonl", "s/other.jsonl", "s/1.settings.json", "p/chats/session-1.json", "p/chats/session-2.jsonl", "p/logs.json", "c/events.jsonl",
		"o/ses_1.json", "o/ses_2.jsonl", "o/opencode.json", "o/storage/session/ses_3.json",
		"u/agent-transcripts/1/1.jsonl", "u/agent-transcripts/1/subagents/2.jsonl", "u/terminals/3.jsonl",
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, name), []byte("{}\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		agent, path string
		want        []string
	}{
		{Codex, "", []string{"s/rollout-1.jsonl"}},
		{Droid, "s", []string{"s/other.jsonl", "s/rollout-1.jsonl"}},
		{Gemini, "", []string{"p/chats/session-1.json", "p/chats/session-2.jsonl"}},
		{Copilot, "", []string{"c/events.jsonl"}},
		{OpenCode, "o", []string{"o/ses_1.json", "o/ses_2.jsonl"}},
		{Cursor, "u", []string{"u/agent-transcripts/1/1.jsonl"}},
		{Codex, "s/other.jsonl", []string{"s/other.jsonl"}},
	} {
		found, err := Files(tt.agent, filepath.Join(dir, tt.path))
		if err != nil {
			t.Fatal(err)
		}
		real, err := filepath.EvalSymlinks(dir)
		if err != nil {
			t.Fatal(err)
		}
		for i := range found {
			if found[i], err = filepath.Rel(real, found[i]); err != nil {
				t.Fatal(err)
			}
			found[i] = filepath.ToSlash(found[i])
		}
		if d := cmp.Diff(tt.want, found); d != "" {
			t.Errorf("%s in %q (-want +got):\n%s", tt.agent, tt.path, d)
		}
	}
	for _, path := range []string{os.DevNull, filepath.Join(dir, "no")} {
		if _, err := Files(Codex, path); err == nil {
			t.Errorf("%s: no error", path)
		}
	}
}

// Gemini CLI says in one of two places which folder a project is.
func TestFolderOf(t *testing.T) {
	dir := t.TempDir()
	abs := filepath.Join(dir, "src", "orders")
	chats := filepath.Join(dir, "tmp", "orders", "chats")
	if err := os.MkdirAll(chats, 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(chats, "session-1.json")
	if got := FolderOf(file); got != "" {
		t.Errorf("got %q without a file that says it", got)
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	projects := filepath.Join(dir, "projects.json")
	write(projects, `{"projects":{"/else":"else",`+strconv.Quote(abs)+`:"orders"}}`)
	if got := FolderOf(file); got != abs {
		t.Errorf("got %q, want %q", got, abs)
	}
	write(projects, `{"projects":[1,2]}`)
	if got := FolderOf(file); got != "" {
		t.Errorf("got %q of projects that are a list", got)
	}
	write(filepath.Join(dir, "tmp", "orders", ".project_root"), abs+"\n")
	if got := FolderOf(file); got != abs {
		t.Errorf("got %q, want %q", got, abs)
	}
}
