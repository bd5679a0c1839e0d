//go:build e2e

package e2e

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// What is stored is what happened, as the client writes it.
func TestWhatHappened(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	for _, test := range []struct {
		name string
		run  func(*testing.T, kit)
	}{
		{"a prompt typed while Claude works", testQueued},
		{"what was taken back", testTakenBack},
		{"a custom command", testSlashCommand},
		{"a plan approved with a cleared context", testPlan},
		{"a prompt that a hook blocked", testBlocked},
	} {
		t.Run(test.name, func(t *testing.T) { test.run(t, k) })
	}
}

// stored lists what is stored, one a line: source, title and body.
func (w *world) stored(t *testing.T) string {
	t.Helper()
	r, err := w.client.run(t.Context(), w.recollect(), "export")
	if err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	for line := range strings.Lines(r.stdout) {
		var m struct {
			Source, Title, Text string
			Fields              map[string]string
		}
		if json.Unmarshal([]byte(line), &m) == nil {
			fmt.Fprintln(&out, m.Source, m.Title, m.Text, m.Fields)
		}
	}
	return out.String()
}

// A chat is a client that takes messages on its standard input, as an editor sends them.
type chat struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out bytes.Buffer
}

func (w *world) startChat(t *testing.T, args ...string) *chat {
	t.Helper()
	s := &chat{cmd: exec.CommandContext(t.Context(), w.client.binary, append([]string{"-p", "--input-format", "stream-json", "--output-format", "stream-json",
		"--verbose", "--allowedTools", "Bash", "--plugin-dir", w.plugin}, args...)...)}
	s.cmd.Dir, s.cmd.Env, s.cmd.WaitDelay, s.cmd.Stdout = w.client.project, w.client.environment(), time.Second, &s.out
	in, err := s.cmd.StdinPipe()
	if err == nil {
		err = s.cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	s.in = in
	return s
}

func (s *chat) send(prompt string) {
	fmt.Fprintf(s.in, `{"type":"user","message":{"role":"user","content":%q}}`+"\n", prompt)
}

// end ends the input, and waits until the client has answered everything.
func (s *chat) end(t *testing.T) {
	t.Helper()
	s.in.Close()
	if err := s.cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, s.out.String())
	}
}

// The second message comes while a command runs.
func testQueued(t *testing.T, k kit) {
	w := newWorld(t, k)
	w.api.say(bash("sleep 3"), turn{text: "The orders client is written, with undici."})
	s := w.startChat(t)
	s.send("write the http client for the orders module")
	eventually(t, "the command to run", func() bool { return strings.Contains(w.transcripts(t), "sleep 3") })
	s.send("from now on always use undici for http in this repo, never axios")
	eventually(t, "the prompt to be queued", func() bool { return strings.Contains(w.transcripts(t), `"queued_command"`) })
	s.end(t)
	w.waitForExport(t, "always use undici")
	if got := w.stored(t); !strings.Contains(got, "preferences The user wants: from now on always use undici") {
		t.Errorf("stored %s\nwant the wish", got)
	}
}

// transcripts returns all that the client has written of its sessions.
func (w *world) transcripts(t *testing.T) string {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(w.client.config(), "projects", "*", "*.jsonl"))
	var out strings.Builder
	for _, path := range paths {
		out.WriteString(readFile(t, path))
	}
	return out.String()
}

// The SDK resumes a session at an earlier message, as /rewind does: nothing is written, and the next prompt has an earlier parent.
func testTakenBack(t *testing.T, k kit) {
	w := newWorld(t, k)
	w.ask(t, "set up the skeleton of the job runner", []turn{{text: "The skeleton of the job runner stands in main.go, with one worker for each queue."}})
	w.ask(t, "from now on always use Redis for queues in this repo, never cron", []turn{{text: "I will use Redis for every queue from here on."}}, "--continue")
	w.waitForExport(t, "always use Redis")
	session, at := "", ""
	w.eachRecord(t, func(line []byte) {
		var rec struct{ Type, UUID, SessionID string }
		if json.Unmarshal(line, &rec) == nil && rec.Type == "assistant" && bytes.Contains(line, []byte("one worker for each queue")) {
			session, at = rec.SessionID, rec.UUID
		}
	})
	w.ask(t, "from now on always write the log as JSON, never as plain text", []turn{{text: "The log is JSON from here on, one object a line."}},
		"--resume", session, "--resume-session-at", at)
	w.waitForExport(t, "write the log as JSON")
	gone := func() bool { return !strings.Contains(w.stored(t), "Redis") }
	eventually(t, "what was taken back to be gone", gone)
	if got := w.stored(t); !strings.Contains(got, "log as JSON") {
		t.Errorf("stored %s\nwant what stands", got)
	}
}

func testSlashCommand(t *testing.T, k kit) {
	w := newWorld(t, k)
	writeFile(t, filepath.Join(w.client.project, ".claude", "commands", "feature.md"), []byte("Build this feature. Never skip the review, always ask Bob.\n\n$ARGUMENTS\n"), 0o600)
	w.api.say(bash("echo built"), turn{text: "The price fetcher retries with exponential backoff now, three times at most."})
	r, err := w.client.prompt(t.Context(), "/feature add retries to the price fetcher. always use exponential backoff in this repo, never fixed sleeps")
	if err != nil || r.status != 0 {
		t.Fatalf("%v: %+v", err, r)
	}
	w.waitForExport(t, "always use exponential backoff")
	got := w.stored(t)
	if !strings.Contains(got, "preferences The user wants: always use exponential backoff") || !strings.Contains(got, "episodes") {
		t.Errorf("stored %s\nwant the turn and the wish in the arguments", got)
	}
	if strings.Contains(got, "Bob") {
		t.Errorf("stored %s\nwant nothing of the command's own text", got)
	}
}

func testPlan(t *testing.T, k kit) {
	w := newWorld(t, k)
	plan := "Implement the following plan:\n\n# Cache the price list\n\nWe keep one entry per shop, because the list is asked for on every page. Always use Redis, never memory."
	w.ask(t, plan, []turn{bash("echo cached"), {text: "The price list is cached, one entry for each shop."}})
	w.waitForExport(t, "Plan: Cache the price list")
	if got := w.stored(t); strings.Contains(got, "preferences") {
		t.Errorf("stored %s\nwant no wish: Claude wrote the plan", got)
	}
}

func testBlocked(t *testing.T, k kit) {
	w := newWorld(t, k)
	guard := filepath.Join(w.client.home, "guard")
	writeFile(t, guard, []byte("#!/bin/sh\ngrep -q Redis && { echo 'not here' >&2; exit 2; }\nexit 0\n"), 0o700)
	settings := fmt.Sprintf(`{"hooks":{"UserPromptSubmit":[{"hooks":[{"type":"command","command":%q}]}]}}`, guard)
	writeFile(t, filepath.Join(w.client.config(), "settings.json"), []byte(settings), 0o600)
	if r, err := w.client.prompt(t.Context(), "from now on always use Redis for queues in this repo"); err != nil || r.status != 0 {
		t.Fatalf("%v: %+v", err, r)
	}
	w.ask(t, "from now on always write the log as JSON, never as plain text", []turn{{text: "The log is JSON from here on."}}, "--continue")
	w.waitForExport(t, "write the log as JSON")
	if got := w.stored(t); strings.Contains(got, "Redis") {
		t.Errorf("stored %s\nwant nothing of the prompt that was blocked", got)
	}
}
