//go:build e2e

package e2e

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// A tool that fails until it was told to begin.
const ferret = `#!/bin/sh
case $1 in
init) : >ferret.lock ;;
build)
	[ -e ferret.lock ] || { echo "error: the wheels of this checkout are not installed" >&2; exit 2; }
	echo built ;;
esac
`

var failureID = regexp.MustCompile(`\bfail-[0-9a-f]{12}\b`)

func TestTools(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	tests := []struct {
		name string
		run  func(*testing.T, kit)
	}{
		{"a failure is told with the very command", testFailureAtTool},
		{"a sub-agent is told what bears on its task", testAgentIsTold},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, k) })
	}
}

func bash(command string) turn {
	return turn{tool: "Bash", input: map[string]any{"command": command, "description": "Run it"}}
}

// failFirst runs a session in which a command fails, is put right and works.
func (w *world) failFirst(t *testing.T) {
	t.Helper()
	writeFile(t, filepath.Join(w.client.project, "ferret"), []byte(ferret), 0o755)
	w.ask(t, "get the bundle of the warehouse out of the door", []turn{
		bash("./ferret build"), bash("./ferret init"), bash("./ferret build"), {text: "The bundle is built now, after the checkout was initialised."},
	})
	eventually(t, "the failure's memory", func() bool {
		r, err := w.client.run(t.Context(), w.recollect(), "export")
		return err == nil && failureID.MatchString(r.stdout) && strings.Contains(r.stdout, "ferret init")
	})
}

func testFailureAtTool(t *testing.T, k kit) {
	w := newWorld(t, k)
	w.failFirst(t)
	// The start of a session would bring it too.
	writeFile(t, filepath.Join(w.client.data(), "config.toml"), []byte("[hooks]\noff = [\"SessionStart\"]\n"), 0o600)
	remove(t, filepath.Join(w.client.project, "ferret.lock"))
	req := w.ask(t, "go on please", []turn{bash("ls"), bash("./ferret build"), bash("./ferret build"), {text: "It fails."}})
	if got := req.promptContext(); got != "" {
		t.Fatalf("the prompt was told %q, want nothing: it speaks of nothing", got)
	}
	last, _ := w.api.seen()
	const mark = "PreToolUse:Bash hook additional context: "
	if got := strings.Count(last.text(), mark); got != 1 {
		t.Errorf("%d tool calls of three were told something, want one\n%s", got, last.text())
	}
	_, told, _ := strings.Cut(last.text(), mark)
	told, _, _ = strings.Cut(told, "</memory-data>")
	if !strings.Contains(told, "`./ferret build` failed") || !strings.Contains(told, "`./ferret init`") {
		t.Errorf("told %q, want the failure and its fix", told)
	}
	if got := w.hookTroubles(t); got != nil {
		t.Errorf("transcripts tell of hooks: %s", got)
	}
}

func testAgentIsTold(t *testing.T, k kit) {
	w := newWorld(t, k)
	w.must(t, w.recollect(), "remember", "--source", "journal", key+": three pods share the 100 connections that postgres has, and the pool is out of connections beyond that")
	const idle = "hand this over, will you"
	const task = "find out whether the pool is out of connections again, and how max_open_conns and the three pods go with the connections that postgres has"
	req := w.ask(t, idle, []turn{
		{tool: "Agent", input: map[string]any{"description": "Look at the pool", "prompt": task, "subagent_type": "general-purpose", "run_in_background": false}},
		{text: "It is 25."},
	})
	if got := req.promptContext(); got != "" {
		t.Errorf("the prompt was told %q, want nothing", got)
	}
	_, agents := w.api.seen()
	if len(agents) == 0 {
		t.Fatal("no sub-agent asked the model")
	}
	text := agents[0].text()
	_, told, _ := strings.Cut(text, "SubagentStart hook additional context: ")
	if ids := memoryID.FindAllString(text, -1); !strings.Contains(told, key) || len(ids) != 1 {
		t.Errorf("the sub-agent's first request has %q, want the memory of the task once\n%s", ids, text)
	}
	if got := w.hookTroubles(t); got != nil {
		t.Errorf("transcripts tell of hooks: %s", got)
	}
}
