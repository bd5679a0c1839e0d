//go:build e2e

package e2e

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// What a guard decides holds in every mode of the client, in the foreground and in the background.
func TestGuards(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, mode := range []string{"default", "acceptEdits", "auto", "dontAsk", "bypassPermissions"} {
		for _, action := range []string{"ask", "deny"} {
			t.Run(action+" in mode "+mode, func(t *testing.T) {
				t.Parallel()
				testGuardHolds(t, k, mode, action)
			})
		}
	}
	t.Run("deny in a background agent", func(t *testing.T) { testGuardInAgent(t, k) })
	t.Run("ask, and the user lets it through", func(t *testing.T) { testGuardOverridden(t, k) })
	t.Run("what Claude switches on", func(t *testing.T) { testGuardSwitch(t, k) })
	t.Run("warn", func(t *testing.T) { testGuardWarns(t, k) })
}

// guardedWorld returns a world with a guard against touch.
func guardedWorld(t *testing.T, k kit, action string) *world {
	t.Helper()
	w := newWorld(t, k)
	w.must(t, w.recollect(), "guard", "add", "never run `touch`", "--action", action, "--yes")
	return w
}

// ran reports whether a command made its file.
func (w *world) ran(name string) bool {
	_, err := os.Stat(filepath.Join(w.client.project, name))
	return err == nil
}

func testGuardHolds(t *testing.T, k kit, mode, action string) {
	w := guardedWorld(t, k, action)
	w.complains = true
	w.client.extra = append(w.client.extra, "IS_SANDBOX=1") // root may bypass permissions, too
	background := bash("sleep 0; touch behind")
	background.input["run_in_background"] = true
	w.ask(t, "make the two files", []turn{bash("env A=1 sh -c 'touch before'"), background, bash("echo > free"), {text: "Done."}}, "--permission-mode", mode)
	last, _ := w.api.seen()
	text := last.text()
	for _, file := range []string{"before", "behind"} {
		if w.ran(file) {
			t.Errorf("%s was made\n%s", file, text)
		}
	}
	if !w.ran("free") {
		t.Errorf("a call that no guard is about did not run\n%s", text)
	}
	if action == "deny" && strings.Count(text, "you said: “never run `touch`”") != 2 {
		t.Errorf("Claude does not read twice why\n%s", text)
	}
	r := w.must(t, w.recollect(), "guard")
	if !strings.Contains(r.stdout, "2 calls, 0 let through") {
		t.Errorf("guard says %s", r.stdout)
	}
}

// testGuardInAgent has a sub-agent in the background make the call.
func testGuardInAgent(t *testing.T, k kit) {
	w := guardedWorld(t, k, "deny")
	w.complains = true
	w.api.forAgents(bash("touch behind"))
	w.ask(t, "hand this over", []turn{
		{tool: "Agent", input: map[string]any{"description": "Make it", "prompt": "make the file behind", "subagent_type": "general-purpose", "run_in_background": true}},
		bash("sleep 3"), {text: "Done."},
	})
	if w.ran("behind") {
		t.Error("the file was made")
	}
	_, agents := w.api.seen()
	if n := len(agents); n < 2 || !strings.Contains(agents[n-1].text(), "you said: “never run `touch`”") {
		t.Errorf("%d requests of the sub-agent, the last does not say why", n)
	}
}

func testGuardWarns(t *testing.T, k kit) {
	w := guardedWorld(t, k, "warn")
	w.ask(t, "make the file", []turn{bash("touch before"), {text: "Done."}})
	last, _ := w.api.seen()
	if text := last.text(); !w.ran("before") || !strings.Contains(text, "PreToolUse:Bash hook additional context: <memory-data") || !strings.Contains(text, "never run `touch`") {
		t.Errorf("the call ran: %t\n%s", w.ran("before"), text)
	}
}

// testGuardSwitch has the model run what /recollect:guard names: it shows the rule, but what switches it on
// waits for the user.
func testGuardSwitch(t *testing.T, k kit) {
	w := newWorld(t, k)
	copyTree(t, filepath.Join(k.root, "skills"), filepath.Join(w.plugin, "skills"))
	add := filepath.Join(w.plugin, "bin", "recollect") + " guard add 'never npm here'"
	w.api.say(bash(add), bash(add+" --yes"), turn{text: "Done."})
	if r, err := w.client.prompt(t.Context(), "/recollect:guard never npm here"); err != nil || r.status != 0 {
		t.Fatalf("status %d, %v, stderr %q", r.status, err, r.stderr)
	}
	last, _ := w.api.seen()
	if text := last.text(); !strings.Contains(text, "calls of npm in orders-api: ask") || strings.Contains(text, "it is on") {
		t.Errorf("Claude reads %s", text)
	}
	if r := w.must(t, w.recollect(), "guard"); !strings.Contains(r.stdout, "no guards here") {
		t.Errorf("guard says %s", r.stdout)
	}
}

// A call that the user lets through is found in the transcript.
func testGuardOverridden(t *testing.T, k kit) {
	w := guardedWorld(t, k, "ask")
	w.api.say(bash("touch before"), turn{text: "Done."})
	asked := w.approveAll(t, "make the file")
	if !w.ran("before") || !strings.Contains(asked, "you said: “never run `touch`”") {
		t.Errorf("the call ran: %t; the user was asked %s", w.ran("before"), asked)
	}
	eventually(t, "the override", func() bool {
		r, err := w.client.run(t.Context(), w.recollect(), "guard")
		return err == nil && strings.Contains(r.stdout, "1 call, 1 let through")
	})
}

// approveAll runs a prompt, and approves what the client asks about, as an application would that shows
// its questions. It returns the questions.
func (w *world) approveAll(t *testing.T, prompt string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), w.client.binary, "-p", "--input-format", "stream-json", "--output-format", "stream-json", "--verbose",
		"--permission-prompt-tool", "stdio", "--allowedTools", "Bash", "--plugin-dir", w.plugin)
	cmd.Dir, cmd.Env = w.client.project, w.client.environment()
	in, inErr := cmd.StdinPipe()
	out, outErr := cmd.StdoutPipe()
	if err := errors.Join(inErr, outErr, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	fmt.Fprintf(in, `{"type":"user","message":{"role":"user","content":%q}}`+"\n", prompt)
	var asked strings.Builder
	lines := bufio.NewScanner(out)
	lines.Buffer(nil, maxRequest)
	for lines.Scan() {
		var line struct {
			Type    string `json:"type"`
			ID      string `json:"request_id"`
			Request struct {
				Input json.RawMessage `json:"input"`
			} `json:"request"`
		}
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			continue
		}
		switch line.Type {
		case "control_request":
			asked.Write(lines.Bytes())
			fmt.Fprintf(in, `{"type":"control_response","response":{"subtype":"success","request_id":%q,"response":{"behavior":"allow","updatedInput":%s}}}`+"\n", line.ID, line.Request.Input)
		case "result":
			in.Close()
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Error(err)
	}
	return asked.String()
}
