//go:build e2e

package e2e

import (
	"path/filepath"
	"strings"
	"testing"
)

// tools is what the names of our tools begin with in the client.
const tools = "mcp__plugin_recollect_memory__"

func TestMCP(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	tests := []struct {
		name string
		run  func(*testing.T, kit)
	}{
		{"memory_expand shows a memory", testExpand},
		{"memory_remember keeps one", testRememberTool},
		{"commands", testCommands},
		{"pause", testPause},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, k) })
	}
}

// last returns the newest request of the conversation.
func (a *api) last(t *testing.T) request {
	t.Helper()
	a.mu.Lock()
	defer a.mu.Unlock()
	if len(a.requests) == 0 {
		t.Fatal("no request")
	}
	return a.requests[len(a.requests)-1]
}

// note stores a memory by the command and returns its id.
func (w *world) note(t *testing.T, args ...string) string {
	t.Helper()
	r := w.must(t, w.recollect(), append([]string{"remember"}, args...)...)
	return strings.TrimSpace(r.stdout)
}

// useTool has the model call one of our tools and returns what it read.
func (w *world) useTool(t *testing.T, prompt, tool string, input map[string]any) string {
	t.Helper()
	w.ask(t, prompt, []turn{{tool: tools + tool, input: input}, {text: "Done."}}, "--allowedTools", tools+tool)
	req := w.api.last(t)
	return req.Messages[req.lastUser()].text()
}

// The client defers our tools: the model knows their names only, and calls
// them with what it takes for right.
func testExpand(t *testing.T, k kit) {
	w := newWorld(t, k)
	id := w.note(t, "--source", "journal", "--title", "The pool has 25 connections", "Three pods share 100 of the database's.")
	got := w.useTool(t, "what exactly did we note there?", "memory_expand", map[string]any{"ids": []string{id}})
	for _, want := range []string{"<memory-data", id, "[decision] The pool has 25 connections", "Three pods share 100"} {
		if !strings.Contains(got, want) {
			t.Errorf("memory_expand: the model got %q, want it to hold %q", got, want)
		}
	}
	if strings.Contains(got, "from project") {
		t.Errorf("memory_expand: %q names another project, but the client is in this one", got)
	}
}

func testRememberTool(t *testing.T, k kit) {
	w := newWorld(t, k)
	got := w.useTool(t, "keep that for later", "memory_remember",
		map[string]any{"text": "Staging is called heron", "source": "registry"})
	id := memoryID.FindString(got)
	if !strings.HasPrefix(id, "reg-") {
		t.Fatalf("memory_remember: the model got %q, want an id", got)
	}
	r := w.must(t, w.recollect(), "show", id)
	if !strings.Contains(r.stdout, "Staging is called heron") || !strings.Contains(r.stdout, w.client.project) {
		t.Errorf("show %s: %s, want the text and the project %s", id, r.stdout, w.client.project)
	}
}

// A command of ours is a prompt with what belongs to it, the daemon's answer
// included where it asks for that.
func testCommands(t *testing.T, k kit) {
	w := newWorld(t, k)
	copyTree(t, filepath.Join(k.root, "skills"), filepath.Join(w.plugin, "skills"))
	w.note(t, "Staging is called heron")
	w.must(t, k.client, "plugin", "validate", w.plugin)
	tests := []struct{ prompt, want string }{
		{"/recollect:status", "memories  1\n"},
		{"/recollect:remember we ship on Tuesdays", "we ship on Tuesdays\n\nCall memory_remember"},
		{"/recollect:recall what is staging called?", "what is staging called?\n\nCall memory_recall"},
		{"/recollect:handoff", "Write a handoff"},
		{"/recollect:forget heron", "heron\n\nIf it is an id"},
		{"/recollect:guard never npm here", "no guards here; --all lists"},
	}
	for _, test := range tests {
		t.Run(test.prompt, func(t *testing.T) {
			w.api.say(turn{text: "Done."})
			r, err := w.client.prompt(t.Context(), test.prompt)
			if err != nil || r.status != 0 || r.stderr != "" {
				t.Fatalf("status %d, %v, stdout %q, stderr %q", r.status, err, r.stdout, r.stderr)
			}
			if got := w.api.last(t).text(); !strings.Contains(got, test.want) {
				t.Errorf("the model got %q, want it to hold %q", got, test.want)
			}
		})
	}
}

// testPause has the model run the command that /recollect:pause names, without asking the user.
func testPause(t *testing.T, k kit) {
	const session, question = "2f0c7b3a-5c1e-4a55-9d0e-3b8b1c6d7e90", "what is staging called?"
	w := newWorld(t, k)
	copyTree(t, filepath.Join(k.root, "skills"), filepath.Join(w.plugin, "skills"))
	w.note(t, "Staging is called heron")
	how := []string{"--session-id", session}
	run := func(prompt, command string) {
		t.Helper()
		command = filepath.Join(w.plugin, "bin", "recollect") + " " + command + " --session " + session
		w.api.say(turn{tool: "Bash", input: map[string]any{"command": command, "description": "Pause"}}, turn{text: "Done."})
		r, err := w.client.prompt(t.Context(), prompt, how...)
		if err != nil || r.status != 0 || strings.TrimSpace(r.stdout) != "Done." {
			t.Fatalf("%s: status %d, %v, stdout %q, stderr %q", prompt, r.status, err, r.stdout, r.stderr)
		}
		if got := w.api.last(t).text(); !strings.Contains(got, command+"`") {
			t.Errorf("%s: the model got %q, want the command %s", prompt, got, command)
		}
		how = []string{"--resume", session}
	}
	run("/recollect:pause", "pause")
	if got := w.ask(t, question, []turn{{text: "I do not know."}}, how...).promptContext(); got != "" {
		t.Errorf("a paused session was given %q", got)
	}
	if got := w.ask(t, question, []turn{{text: "Heron."}}).promptContext(); !strings.Contains(got, "heron") {
		t.Errorf("another session was given %q, want what is stored", got)
	}
	run("/recollect:pause end", "unpause")
	if got := w.ask(t, question+" Do you know?", []turn{{text: "Heron."}}, how...).promptContext(); !strings.Contains(got, "heron") {
		t.Errorf("after the pause the session was given %q, want what is stored", got)
	}
}
