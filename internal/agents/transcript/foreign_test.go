package transcript

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/agents/claudecode"
)

// recorded is where a transcript of each agent lies, all of the same work.
const recorded = "../testdata"

func TestForeign(t *testing.T) {
	for _, tt := range []struct{ file, agent, session string }{
		{"codex.jsonl", "codex", "0199a213-81c0-7800-8aa1-bbab2a035a53"},
		{"droid.jsonl", "droid", "5b6f3c1e-0f39-4f0f-9a55-0d8d4c1f2a11"},
		{"qwen.jsonl", "qwen", "2f7c1b9e-5a64-4a8d-93d7-5f1f0a4f9c01"},
		{"gemini.jsonl", "gemini", "91e5b7a0-1c54-4f3e-8f50-67c1b0f4d2aa"},
		{"gemini.json", "gemini", "91e5b7a0-1c54-4f3e-8f50-67c1b0f4d2aa"},
		{"copilot.jsonl", "copilot", "7cf44517-55ca-435c-893a-3fde1973a44e"},
		{"opencode.jsonl", "opencode", "ses_df8d0b59cfferXHoaDnr1qJUQg"},
		{"opencode.json", "opencode", "ses_df8d0b59cfferXHoaDnr1qJUQg"},
	} {
		t.Run(tt.file, func(t *testing.T) {
			path := copied(t, tt.file)
			turn := turnsOf(t, path)[0]
			type call struct {
				Tool, Command, File string
				Failed              bool
			}
			got := map[string]any{
				"client": turn.Client, "session": turn.Session, "cwd": turn.Cwd, "prompt": turn.Prompt, "replies": turn.Replies,
				"first": call{turn.Actions[0].Tool, turn.Actions[0].Command, "", turn.Actions[0].Failed},
				"edit":  call{turn.Actions[1].Tool, "", filepath.Base(turn.Actions[1].File), turn.Actions[1].Failed},
				"hangs": strings.Contains(turn.Actions[0].Output, "timed out"),
			}
			want := map[string]any{
				"client": tt.agent, "session": tt.session, "cwd": "/src/orders", "prompt": "Why do the connection pool tests hang?",
				"replies": []string{"The pool never released a connection when the query failed; release is deferred now."},
				"first":   call{"Bash", "go test ./pool", "", true}, "edit": call{"Edit", "", "pool.go", false}, "hangs": true,
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("turn differs (-want +got):\n%s", d)
			}
			if len(turn.Thinking) != 1 {
				t.Errorf("got %d thoughts, want 1", len(turn.Thinking))
			}
		})
	}
}

func TestCodexTurns(t *testing.T) {
	turns := turnsOf(t, copied(t, "codex.jsonl"))
	if len(turns) != 2 || !turns[1].Interrupted {
		t.Fatalf("got %d turns, the last interrupted: %v; want 2, true", len(turns), turns[len(turns)-1].Interrupted)
	}
	var tools []string
	for _, a := range turns[0].Actions {
		tools = append(tools, a.Tool+" "+a.File+a.Command)
	}
	want := []string{"Bash go test ./pool", "Edit pool/pool.go", "Write pool/release_test.go", "Bash go test ./pool"}
	if d := cmp.Diff(want, tools); d != "" {
		t.Errorf("calls differ (-want +got):\n%s", d)
	}
}

// Cursor names neither session nor folder, gives only prompts a time, and leaves results out.
func TestCursorTurns(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "projects", "src-orders")
	path := filepath.Join(dir, "agent-transcripts", "8f2c", "8f2c.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	orders, err := filepath.Abs("orders")
	if err != nil {
		t.Fatal(err)
	}
	trusted, err := json.Marshal(map[string]string{"workspacePath": orders})
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, ".workspace-trusted"), trusted, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(copied(t, "cursor.jsonl"), path); err != nil {
		t.Fatal(err)
	}
	type call struct {
		Tool, Command, File string
		Failed              bool
	}
	type turn struct {
		Client, Session, Cwd, Prompt, At string
		Calls                            []call
		Replies                          []string
		Interrupted                      bool
	}
	var got []turn
	for _, found := range turnsOf(t, path) {
		g := turn{found.Client, found.Session, found.Cwd, found.Prompt, found.At.UTC().Format(time.RFC3339), nil, found.Replies, found.Interrupted}
		for _, a := range found.Actions {
			g.Calls = append(g.Calls, call{a.Tool, a.Command, filepath.Base(a.File), a.Failed})
		}
		got = append(got, g)
	}
	want := []turn{
		{
			"cursor", "8f2c", orders, "Why do the connection pool tests hang?", "2026-10-02T09:00:00Z",
			[]call{{"Bash", "go test ./pool", ".", false}, {"Read", "", "pool.go", false}, {"Edit", "", "pool.go", false}},
			[]string{"I run them.", "The pool never released a connection when the query failed; release is deferred now."}, false,
		},
		{"cursor", "8f2c", orders, "Document it in the changelog", "2026-10-02T09:05:00Z", nil, nil, true},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("turns (-want +got):\n%s", d)
	}
}

// A transcript is read on where the last turn began, and knows its session there too.
func TestForeignReadsOn(t *testing.T) {
	path := copied(t, "codex.jsonl")
	f, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	scan, err := f.Turns(0, func(claudecode.Turn) error { return nil })
	if err != nil {
		t.Fatal(err)
	}
	var on []claudecode.Turn
	if _, err := f.Turns(scan.Offset, func(t claudecode.Turn) error { on = append(on, t); return nil }); err != nil {
		t.Fatal(err)
	}
	if all := turnsOf(t, path); cmp.Diff(all[1:], on) != "" {
		t.Errorf("turns differ (-want +got):\n%s", cmp.Diff(all[1:], on))
	}
}

// What is hostile or broken costs its own line only.
func TestForeignHostile(t *testing.T) {
	for _, file := range []string{"codex.jsonl", "droid.jsonl", "qwen.jsonl", "gemini.jsonl", "copilot.jsonl", "opencode.jsonl", "cursor.jsonl"} {
		b, err := os.ReadFile(filepath.Join(recorded, file))
		if err != nil {
			t.Fatal(err)
		}
		begin, rest, _ := bytes.Cut(b, []byte("\n"))
		var out bytes.Buffer
		out.Write(begin)
		for _, bad := range []string{
			"", "null", "[]", "{", "\x00\x01", `{"type":7}`, `{"type":"response_item","payload":[]}`, `{"type":"response_item","payload":{"type":"message","role":"user","content":7}}`,
			`{"type":"response_item","payload":{"type":"function_call","name":{},"arguments":"{","call_id":[]}}`, `{"type":"message","message":"x"}`,
			`{"type":"message","message":{"role":"user","content":{"a":1}}}`, `{"type":"user","message":{"parts":{"text":"x"}}}`, `{"type":"gemini","toolCalls":{"id":1},"thoughts":"x"}`,
			`{"type":"tool.execution_start","data":{"toolName":[],"arguments":"x"}}`, `{"type":"tool.execution_complete","data":null}`,
			`{"type":"assistant","message":{"parts":[{"functionCall":{"name":"edit","args":[1]}}]}}`,
			`{"type":"message","message":{"role":"assistant","content":[{"type":"tool_use","name":"ApplyPatch","input":{"input":"*** Add File: \n+"}}]}}`,
		} {
			out.WriteString("\n" + bad)
		}
		out.WriteString("\n{\"type\":\"message\",\"x\":\"" + strings.Repeat("x", 25<<20) + "\"}\n")
		out.Write(rest)
		path := filepath.Join(t.TempDir(), file)
		if err := os.WriteFile(path, out.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		prompts := map[string]bool{}
		for _, turn := range turnsOf(t, path) {
			prompts[turn.Prompt] = true
		}
		if file != "qwen.jsonl" && !prompts["Why do the connection pool tests hang?"] {
			t.Errorf("%s: the prompt is lost", file)
		}
	}
}

// copied returns the path of a recorded transcript, at a place that says where Gemini CLI ran.
func copied(t *testing.T, file string) string {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(recorded, file))
	if err != nil {
		t.Fatal(err)
	}
	chats := filepath.Join(t.TempDir(), "tmp", "orders", "chats")
	if err := os.MkdirAll(chats, 0o700); err != nil {
		t.Fatal(err)
	}
	if strings.HasPrefix(file, "gemini") {
		if err := os.WriteFile(filepath.Join(filepath.Dir(chats), ".project_root"), []byte("/src/orders\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	path := filepath.Join(chats, file)
	if err := os.WriteFile(path, b, 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func turnsOf(t *testing.T, path string) []claudecode.Turn {
	t.Helper()
	var turns []claudecode.Turn
	if _, err := Turns(path, 0, func(turn claudecode.Turn) error { turns = append(turns, turn); return nil }); err != nil {
		t.Fatal(err)
	}
	if len(turns) == 0 {
		t.Fatal("no turns")
	}
	return turns
}
