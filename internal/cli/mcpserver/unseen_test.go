package mcpserver

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// Where no hook sees prompts, the answer of a tool has behind it what the prompt would have brought, if it is certain
// whose prompt that is.
func TestUnseenPrompt(t *testing.T) {
	const turn = `{"type":"user","uuid":"u1","promptId":"p1","entrypoint":"claude-vscode","message":{"role":"user","content":"how many connections has the database pool?"}}
{"type":"assistant","uuid":"a1","message":{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"toolu_17","name":"mcp__plugin_recollect_memory__memory_expand","input":{}}]}}
`
	for _, tt := range []struct {
		name        string
		transcripts map[string]string // by their paths below the folder of projects
		state       string            // of session s1
		variable    string
		unknown     bool // the tool is asked for a memory that is not there
		brings      bool
	}{
		{name: "a call that fails", transcripts: map[string]string{"-app/s1.jsonl": turn}, unknown: true, brings: true},
		{name: "the session's own", transcripts: map[string]string{"-app/s1.jsonl": turn}, brings: true},
		{name: "after /clear", transcripts: map[string]string{"-app/s1.jsonl": "{}\n", "-app/s2.jsonl": turn}, brings: true},
		{name: "another call", transcripts: map[string]string{"-app/s1.jsonl": strings.ReplaceAll(turn, "toolu_17", "toolu_170")}},
		{name: "a sub-agent's call", transcripts: map[string]string{"-app/s1.jsonl": "{}\n", "-app/s1/subagents/agent-a1.jsonl": turn}},
		{name: "another folder's session", transcripts: map[string]string{"-app/s1.jsonl": "{}\n", "-other/s2.jsonl": turn}},
		{name: "no session of this process", transcripts: map[string]string{"-app/s2.jsonl": turn}},
		{name: "the hook sees prompts here", transcripts: map[string]string{"-app/s1.jsonl": turn}, state: `{"id":"s1","recalled":{"event":"UserPromptSubmit"}}`},
		{name: "a call brought them before", transcripts: map[string]string{"-app/s1.jsonl": turn}, state: `{"id":"s1","last_prompt":"x","recalled":{"event":"PreToolUse"}}`, brings: true},
		{name: "incognito", transcripts: map[string]string{"-app/s1.jsonl": turn}, variable: "RECOLLECT_INCOGNITO"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			claude := t.TempDir()
			t.Setenv("CLAUDE_CONFIG_DIR", claude)
			if tt.variable != "" {
				t.Setenv(tt.variable, "1")
			}
			s, client := mcpSession(t, "/home/dev/src/app")
			for path, text := range tt.transcripts {
				write(t, filepath.Join(claude, "projects", path), text)
			}
			if tt.state != "" {
				write(t, api.SessionPath(client.Home, "s1"), tt.state)
			}
			done, err := client.Remember(t.Context(), api.Remember{Cwd: "/home/dev/src/app", Memories: memory.Drafts(
				memory.Memory{Source: memory.Inbox, Text: "the database pool has 40 connections"}, memory.Memory{Source: memory.Inbox, Text: "staging is called heron"})})
			if err != nil {
				t.Fatal(err)
			}
			for end := time.Now().Add(patience); ; time.Sleep(time.Millisecond) {
				h, err := client.Health(t.Context())
				if err == nil && h.Indexed == h.Memories {
					break
				}
				if time.Now().After(end) {
					t.Fatalf("the memories are not indexed: %v", err)
				}
			}
			says := "heron"
			if tt.unknown {
				done.IDs[1], says = "dec-000000000000", "no such memory"
			}
			params := &mcp.CallToolParams{Meta: mcp.Meta{useKey: "toolu_17"}, Name: "memory_expand", Arguments: map[string]any{"ids": []string{done.IDs[1]}}}
			for call, want := range []bool{tt.brings, false} {
				res, err := s.CallTool(t.Context(), params)
				if err != nil {
					t.Fatal(err)
				}
				text := ""
				for _, c := range res.Content {
					text += c.(*mcp.TextContent).Text
				}
				if res.IsError != tt.unknown || !strings.Contains(text, says) {
					t.Errorf("call %d: got %q, an error: %t", call, text, res.IsError)
				}
				if strings.Contains(text, "40 connections") != want || len(res.Content) > 2 {
					t.Errorf("call %d: got %q, want the prompt's memory behind the answer: %t", call, text, want)
				}
			}
		})
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}
