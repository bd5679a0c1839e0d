package transcript

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
)

// tree writes files below a new folder and returns it.
func tree(t *testing.T, files map[string]string) string {
	t.Helper()
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

func TestTranscripts(t *testing.T) {
	root := tree(t, map[string]string{
		"history.jsonl":                                        "",
		"projects/-home-dev-app/b.jsonl":                       "",
		"projects/-home-dev-app/a.jsonl":                       "",
		"projects/-home-dev-app/a/subagents/agent-x.jsonl":     "",
		"projects/-home-dev-app/a/subagents/agent-x.meta.json": "{}",
		"projects/-home-dev-app/a/tool-results/b1.txt":         "",
		"projects/-home-dev-app/a/tool-results/b2.md":          "",
		"projects/-home-dev-app/memory/MEMORY.md":              "---\nname: x\n---\n",
		"notes/one.md":      "---\nid: x\n---\n",
		"notes/deep/TWO.MD": "\ufeff---\r\nid: x\r\n",
		"notes/README.md":   "# About\n\n---\n",
		"notes/three.txt":   "",
	})
	agent := "projects/-home-dev-app/a/subagents/agent-x.jsonl"
	project := []string{"projects/-home-dev-app/a.jsonl", agent, "projects/-home-dev-app/b.jsonl"}
	tests := []struct {
		name, root string
		want       []string
	}{
		{"project folder", "projects/-home-dev-app", project},
		{"all", "", append([]string{"notes/deep/TWO.MD", "notes/one.md"}, project...)},
		{"one transcript", agent, []string{agent}},
		{"one note", "notes/one.md", []string{"notes/one.md"}},
		{"one without front matter", "notes/README.md", []string{"notes/README.md"}},
		{"memory itself", "projects/-home-dev-app/memory", []string{"projects/-home-dev-app/memory/MEMORY.md"}},
		{"folder without any", "projects/-home-dev-app/a/tool-results/..", []string{agent}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			paths, err := Files(filepath.Join(root, filepath.FromSlash(tt.root)))
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, path := range paths {
				rel, err := filepath.Rel(root, path)
				if err != nil {
					t.Fatal(err)
				}
				got = append(got, filepath.ToSlash(rel))
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Transcripts (-want +got):\n%s", diff)
			}
		})
	}
	for _, bad := range []string{"notes/three.txt", "gone"} {
		if got, err := Files(filepath.Join(root, bad)); err == nil || !strings.HasPrefix(err.Error(), "find transcripts") {
			t.Errorf("Transcripts(%s) = %v, %v; want an error", bad, got, err)
		}
	}
}

const (
	promptLine = `{"type":"user","uuid":"u1","timestamp":"2026-02-10T12:00:00Z","message":{"content":"one"}}` + "\n"
	secondLine = `{"type":"user","uuid":"u2","timestamp":"2026-02-10T12:00:01Z","message":{"content":"two"}}` + "\n"
)

func TestTurns(t *testing.T) {
	root := tree(t, map[string]string{
		"s1.jsonl":                        promptLine + secondLine,
		"s1/subagents/agent-a1.jsonl":     promptLine,
		"s1/subagents/agent-a1.meta.json": `{"agentType":"Explore"}`,
		"s1/subagents/agent-a2.jsonl":     `{"agentId":"a2","isSidechain":true,` + promptLine[1:],
		"s1/subagents/agent-a2.meta.json": `{"agentType":`,
		"s1/subagents/agent-a3.jsonl":     promptLine,
	})
	tests := []struct {
		name, path string
		offset     int64
		want       []claudecode.Turn
	}{
		{"session", "s1.jsonl", 0, []claudecode.Turn{{Session: "s1", ID: "u1"}, {Session: "s1", ID: "u2"}}},
		{"from the second line", "s1.jsonl", int64(len(promptLine)), []claudecode.Turn{{Session: "s1", ID: "u2"}}},
		{"from within a line", "s1.jsonl", 9, []claudecode.Turn{{Session: "s1", ID: "u1"}, {Session: "s1", ID: "u2"}}},
		{"from behind the end", "s1.jsonl", 9999, []claudecode.Turn{{Session: "s1", ID: "u1"}, {Session: "s1", ID: "u2"}}},
		{"negative", "s1.jsonl", -1, []claudecode.Turn{{Session: "s1", ID: "u1"}, {Session: "s1", ID: "u2"}}},
		{"from the end", "s1.jsonl", int64(len(promptLine + secondLine)), nil},
		{"sub-agent", "s1/subagents/agent-a1.jsonl", 0, []claudecode.Turn{{Session: "s1", ID: "u1", Agent: "Explore", Sidechain: true}}},
		{"broken meta file", "s1/subagents/agent-a2.jsonl", 0, []claudecode.Turn{{Session: "s1", ID: "u1", Agent: "a2", Sidechain: true}}},
		{"no meta file", "s1/subagents/agent-a3.jsonl", 0, []claudecode.Turn{{Session: "s1", ID: "u1", Sidechain: true}}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []claudecode.Turn
			_, err := Turns(filepath.Join(root, filepath.FromSlash(tt.path)), tt.offset, func(turn claudecode.Turn) error {
				got = append(got, claudecode.Turn{Session: turn.Session, ID: turn.ID, Agent: turn.Agent, Sidechain: turn.Sidechain})
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("Turns (-want +got):\n%s", diff)
			}
		})
	}
	if _, err := Turns(filepath.Join(root, "gone.jsonl"), 0, nil); err == nil {
		t.Error("Turns of a missing file: no error")
	}
}

// A file that has no end, or none that is worth waiting for, is refused at once.
func TestOpenEndless(t *testing.T) {
	path := filepath.Join(t.TempDir(), "endless.jsonl")
	if err := errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 1<<40)); err != nil {
		t.Skip(err) // a file system that has no such files
	}
	if f, err := Open(path); err == nil || !strings.Contains(err.Error(), "GiB") {
		t.Errorf("opened %v, with %v", f != nil, err)
	}
}
