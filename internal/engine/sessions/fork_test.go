package sessions

import (
	"fmt"
	"io"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// A session that was forked has in its context what the session before had.
func TestFork(t *testing.T) {
	reply := func(tokens int) string {
		return fmt.Sprintf(`{"type":"assistant","message":{"model":"m","usage":{"input_tokens":%d,"output_tokens":1}}}`+"\n", tokens-1)
	}
	for _, tt := range []struct {
		name   string
		tokens int
		files  map[string]int // transcripts beside, by session, with the tokens of their contexts
		held   []string       // sessions, the oldest first
		want   string         // session whose memories are taken for known
	}{
		{"the only one", 0, map[string]int{"a": 100}, []string{"a"}, "a"},
		{"by its tokens", 100, map[string]int{"a": 100, "b": 200}, []string{"a", "b"}, "a"},
		{"by its tokens, though newer", 200, map[string]int{"a": 100, "b": 200}, []string{"b", "a"}, "b"},
		{"of two with as many, the newest", 100, map[string]int{"a": 100, "b": 100}, []string{"a", "b"}, "b"},
		{"none has as many", 300, map[string]int{"a": 100, "b": 200}, []string{"a", "b"}, ""},
		{"tokens are not known", 0, map[string]int{"a": 100, "b": 200}, []string{"a", "b"}, "b"},
		{"no transcript is there", 0, nil, []string{"a", "b"}, "b"},
		{"no transcript is there, though tokens are known", 100, nil, []string{"a"}, ""},
		{"nobody knows it", 100, map[string]int{"c": 100}, []string{"a"}, ""},
		{"nobody knows any", 0, map[string]int{"c": 100}, nil, ""},
		{"its own transcript is there", 0, map[string]int{"fork": 500, "a": 100}, []string{"a"}, "a"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			home, dir := t.TempDir(), t.TempDir()
			if err := os.MkdirAll(filepath.Join(home, "sessions"), 0o700); err != nil {
				t.Fatal(err)
			}
			ss := NewSessions(home, slog.New(slog.NewTextHandler(io.Discard, nil)))
			for i, id := range tt.held {
				s := ss.Get(id)
				s.Cwd, s.LastPrompt = "/src/app", "prompt of "+id
				s.AddInjected(map[string]string{"note-" + id: "key"})
				if tokens, ok := tt.files[id]; ok {
					path := filepath.Join(dir, id+".jsonl")
					if err := os.WriteFile(path, []byte(reply(tokens)), 0o600); err != nil {
						t.Fatal(err)
					}
					at := time.Now().Add(time.Duration(i) * time.Minute)
					if err := os.Chtimes(path, at, at); err != nil {
						t.Fatal(err)
					}
				}
			}
			for id, tokens := range tt.files {
				if path := filepath.Join(dir, id+".jsonl"); !strings.Contains(strings.Join(tt.held, " "), id) {
					if err := os.WriteFile(path, []byte(reply(tokens)), 0o600); err != nil {
						t.Fatal(err)
					}
				}
			}
			ss.Fork("fork", "/src/app", filepath.Join(dir, "fork.jsonl"), tt.tokens)
			got := strings.Join(ss.Get("fork").InjectedIDs(), " ")
			if want := strings.TrimSuffix("note-"+tt.want, "note-"); tt.want != "" && got != want || tt.want == "" && got != "" {
				t.Errorf("known %q, want those of %q", got, tt.want)
			}
			ss.Get("fork").AddInjected(map[string]string{"note-x": "key"})
			ss.Fork("fork", "/src/app", filepath.Join(dir, "fork.jsonl"), tt.tokens)
			if got := ss.Get("fork").InjectedIDs(); len(got) == 0 || got[len(got)-1] != "note-x" {
				t.Errorf("forked again, it knows %q", got)
			}
		})
	}
}
