//go:build e2e

package e2e

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
)

// Where the client does not run the prompt's hook, a prompt's memories come with its first tool call.
func TestUnseenPrompts(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, kit)
	}{
		{"the first tool call brings what the prompt would have", testUnseenPrompt},
		{"a call of our own tools brings it", testUnseenOwnTool},
		{"a call over MCP brings it where no hook sees calls", testUnseenOverMCP},
		{"a prompt that was seen brings it alone", testSeenPrompt},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, k) })
	}
}

// editorWorld returns a world of an editor in which the hooks of some events do not run, with a memory that answers
// question. Nothing is injected at the start of a session, which would bring it too.
func editorWorld(t *testing.T, k kit, without ...string) *world {
	t.Helper()
	w := newWorld(t, k)
	w.client.extra = append(w.client.extra, "CLAUDE_CODE_ENTRYPOINT=claude-vscode")
	path := filepath.Join(w.plugin, "hooks", "hooks.json")
	var file struct {
		Description string                     `json:"description"`
		Hooks       map[string]json.RawMessage `json:"hooks"`
	}
	if err := json.Unmarshal([]byte(readFile(t, path)), &file); err != nil {
		t.Fatal(err)
	}
	for _, event := range without {
		delete(file.Hooks, event)
	}
	b, err := json.Marshal(file)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, path, b, 0o600)
	w.note(t, "--source", "journal", key+": three pods share the 100 connections that postgres has, and the pool is out of connections beyond that")
	writeFile(t, filepath.Join(w.client.data(), "config.toml"), []byte("[hooks]\noff = [\"SessionStart\"]\n"), 0o600)
	return w
}

const callMark = "PreToolUse:Bash hook additional context: "

func testUnseenPrompt(t *testing.T, k kit) {
	const session = "6d1f8a52-94a7-4c8e-b6d3-0c5f4be2a931"
	w := editorWorld(t, k, "UserPromptSubmit")
	w.api.say(bash("ls"), bash("pwd"), turn{text: "It is 25."})
	s := w.startChat(t, "--session-id", session)
	s.send(question)
	s.end(t)
	if req, ok := w.api.find(question); !ok || req.promptContext() != "" {
		t.Fatalf("the prompt was told %q, though its hook does not run", req.promptContext())
	}
	last, _ := w.api.seen()
	_, told, _ := strings.Cut(last.text(), callMark)
	if got := strings.Count(last.text(), callMark); got != 1 || !strings.Contains(told, key) {
		t.Errorf("%d of two calls were told something, want the first to be told what is stored\n%s", got, last.text())
	}
	w.ask(t, question, []turn{bash("ls"), {text: "Still 25."}}, "--resume", session)
	last, _ = w.api.seen()
	if got := strings.Count(last.text(), "[decision] "+key); got != 1 {
		t.Errorf("the conversation holds the memory %d times, want once\n%s", got, last.text())
	}
	if got := w.transcripts(t); !strings.Contains(got, `"entrypoint":"claude-vscode"`) {
		t.Error("the session did not run as in an editor")
	}
	if got := w.hookTroubles(t); got != nil {
		t.Errorf("transcripts tell of hooks: %s", got)
	}
}

func testUnseenOwnTool(t *testing.T, k kit) {
	w := editorWorld(t, k, "UserPromptSubmit")
	w.useTool(t, question, "memory_expand", map[string]any{"ids": []string{w.note(t, "Staging is called heron")}})
	last, _ := w.api.seen()
	if got := strings.Count(last.text(), "[decision] "+key); got != 1 {
		t.Errorf("the conversation holds the memory %d times, want once\n%s", got, last.text())
	}
}

func testUnseenOverMCP(t *testing.T, k kit) {
	w := editorWorld(t, k, "UserPromptSubmit", "PreToolUse")
	got := w.useTool(t, question, "memory_expand", map[string]any{"ids": []string{w.note(t, "Staging is called heron")}})
	if !strings.Contains(got, "heron") || strings.Count(got, "[decision] "+key) != 1 {
		t.Errorf("the model got %q, want what the prompt would have brought behind the answer", got)
	}
}

func testSeenPrompt(t *testing.T, k kit) {
	w := editorWorld(t, k)
	req := w.ask(t, question, []turn{bash("ls"), {text: "It is 25."}})
	last, _ := w.api.seen()
	if !strings.Contains(req.promptContext(), key) || strings.Contains(last.text(), callMark) {
		t.Errorf("want the memory with the prompt alone\n%s", last.text())
	}
	got := w.useTool(t, again, "memory_expand", map[string]any{"ids": []string{w.note(t, "Staging is called heron")}})
	if strings.Contains(got, key) {
		t.Errorf("the model got %q, want nothing behind the answer", got)
	}
}
