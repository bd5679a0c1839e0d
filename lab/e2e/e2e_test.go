//go:build e2e

package e2e

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Session one teaches, and session two asks for it in other words.
const (
	lesson = "checkout hangs around noon, requests die with context deadline exceeded while postgres is bored"
	taught = "max_open_conns is 25 now: the connection pool was exhausted, as HasOpenOrders never closed its rows " +
		"and 5 connections were gone by noon. Three pods share 100."
	key      = "max_open_conns is 25" // the words by which the memory is known
	question = "is the pool out of connections again? remind me how large max_open_conns is and why"
	again    = "and if the connection pool is exhausted with max_open_conns at that size, then what?"
	recipe   = "how long should a sourdough rye loaf rest in the basket before it goes into a hot oven"
)

var memoryID = regexp.MustCompile(`\b(?:pat|dec|fail|hand|reg|note|goal|pref|ep|th)-[0-9a-f]{12}\b`)

func TestRealClient(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	tests := []struct {
		name string
		run  func(*testing.T, kit)
	}{
		{"a memory reaches the next session", testRecall},
		{"a memory is told once in a session", testToldOnce},
		{"an unrelated prompt brings nothing", testSilence},
		{"a failure is known before its turn ends", testObserved},
		{"a broken plugin disturbs nobody", testBroken},
		{"a clone that was not built says so once", testNotBuilt},
		{"installs and uninstalls", testInstall},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, k) })
	}
}

// teach runs session one: a tool call, the reply, and what Stop captures.
func (w *world) teach(t *testing.T) {
	t.Helper()
	config := filepath.Join(w.client.project, "config", "orders.toml")
	w.ask(t, lesson, []turn{
		{text: "I'll look at the pool first.", tool: "Bash", input: map[string]any{"command": "echo max_open_conns = 5", "description": "Show the pool"}},
		{tool: "Write", input: map[string]any{"file_path": config, "content": "max_open_conns = 25\n"}},
		{text: taught},
	})
	if _, err := os.Stat(config); err != nil {
		t.Fatalf("scripted tool call did not run: %v", err)
	}
	w.waitForMemories(t)
}

// moveOn runs another session, which the start of the next one is about, so that what
// was taught is left to the prompt.
func (w *world) moveOn(t *testing.T) {
	t.Helper()
	w.ask(t, "the first column of the stock report needs a better heading", []turn{
		{tool: "Write", input: map[string]any{"file_path": filepath.Join(w.client.project, "report.csv"), "content": "sku,stock\n"}},
		{text: "The first column of the stock report is called sku now."},
	})
	w.waitForExport(t, "is called sku now")
}

// block returns the memories within the prompt's hook context, or "".
func block(req request) string {
	context := req.promptContext()
	start := strings.Index(context, "<memory-data")
	end := strings.Index(context, "</memory-data>")
	if start < 0 || end < start {
		return ""
	}
	return context[start:end]
}

func testRecall(t *testing.T, k kit) {
	w := newWorld(t, k)
	w.teach(t)
	w.moveOn(t)
	tests := []struct{ name, model string }{
		{"system message", "claude-opus-5-5"},
		{"system reminder", "claude-sonnet-4-6"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			req := w.ask(t, question, []turn{{text: "It is 25."}}, "--model", test.model)
			if got := block(req); !strings.Contains(got, key) {
				t.Errorf("model %s: got memories %q, want them to hold what was taught\n%s", test.model, got, req.text())
			}
		})
	}
	if got := w.hookTroubles(t); got != nil {
		t.Errorf("transcripts tell of hooks: %s", got)
	}
}

func testToldOnce(t *testing.T, k kit) {
	const session = "6d1f8a52-94a7-4c8e-b6d3-0c5f4be2a917"
	w := newWorld(t, k)
	w.teach(t)
	w.moveOn(t)
	first := w.ask(t, question, []turn{{text: "It is 25."}}, "--session-id", session)
	ids := memoryID.FindAllString(block(first), -1)
	if len(ids) == 0 {
		t.Fatalf("no memory with an id in %q", block(first))
	}
	told := linesOf(first.given())
	for _, how := range [][]string{{"--resume", session}, {"--continue"}} {
		req := w.ask(t, again, []turn{{text: "Then some rows are still open."}}, how...)
		for _, id := range ids {
			if strings.Contains(req.promptContext(), id) {
				t.Errorf("%s: %s is told again: %q", how[0], id, req.promptContext())
			}
		}
		for _, line := range told {
			if got := strings.Count(req.text(), line); got != 1 {
				t.Errorf("%s: the conversation holds %q %d times, want once", how[0], line, got)
			}
		}
	}
}

// linesOf returns what stands below the headings of memories. A session's heading stands above
// all that is told of it, so it may be there more than once.
func linesOf(given string) []string {
	var lines []string
	for line := range strings.Lines(given) {
		if strings.HasPrefix(line, "  - ") {
			lines = append(lines, line)
		}
	}
	return lines
}

func testSilence(t *testing.T, k kit) {
	w := newWorld(t, k)
	w.teach(t)
	req := w.ask(t, recipe, []turn{{text: "About an hour."}})
	if got := req.promptContext(); got != "" {
		t.Errorf("got context %q, want none", got)
	}
}

// testObserved has a command fail for want of a program, and the next one of the turn show
// what is remembered by then. What the command itself says reads otherwise than the
// memory: its f is none.
func testObserved(t *testing.T, k kit) {
	w := newWorld(t, k)
	w.ask(t, lesson, []turn{
		{text: "I'll build it.", tool: "Bash", input: map[string]any{"command": "ferret build", "description": "Build"}},
		{tool: "Bash", input: map[string]any{"command": "sleep 3; " + w.recollect() + " export | tr f F", "description": "Wait"}},
		{text: taught},
	})
	known := false
	w.eachRecord(t, func(line []byte) {
		known = known || bytes.Contains(line, []byte(`"tool_result"`)) && bytes.Contains(line, []byte("`Ferret build` Fails: "))
	})
	if !known {
		t.Error("the failure was not known when the next command ran")
	}
	if got := w.hookTroubles(t); got != nil {
		t.Errorf("transcripts tell of hooks: %s", got)
	}
}

func testBroken(t *testing.T, k kit) {
	tests := []struct {
		name     string
		sabotage func(*testing.T, *world)
		// silent is false where the client itself has to complain, in its
		// transcript and on stderr: it finds no hook to run.
		silent bool
	}{
		{"daemon killed", killDaemon, true},
		{"data folder is a file", fileAsData, true},
		{"data folder unreadable", lockData, true},
		{"command missing", removeCommand, true},
		{"hook missing", removeHook, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			w := newWorld(t, k)
			w.ask(t, lesson, []turn{{text: taught}})
			test.sabotage(t, w)
			w.complains = !test.silent
			w.ask(t, question, []turn{{text: "It is 25."}})
			if got := w.hookTroubles(t); test.silent && got != nil {
				t.Errorf("transcripts tell of hooks: %s", got)
			}
		})
	}
}

func killDaemon(t *testing.T, w *world) {
	s := w.waitForMemories(t)
	kill(t, s.PID)
	eventually(t, "the daemon's end", func() bool { return !alive(s.PID) })
}

func fileAsData(t *testing.T, w *world) {
	w.stopDaemon(t)
	remove(t, w.client.data())
	writeFile(t, w.client.data(), []byte("not a folder\n"), 0o600)
}

func lockData(t *testing.T, w *world) {
	if os.Geteuid() == 0 {
		t.Skip("root reads every folder")
	}
	w.stopDaemon(t)
	if err := os.Chmod(w.client.data(), 0); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { os.Chmod(w.client.data(), 0o700) })
}

func removeCommand(t *testing.T, w *world) {
	w.stopDaemon(t)
	remove(t, filepath.Join(w.plugin, "bin", "recollect"))
}

func removeHook(t *testing.T, w *world) {
	remove(t, filepath.Join(w.plugin, "bin", "recollect-hook"))
}

// The script that stands in for the hook until it is built says so once.
func testNotBuilt(t *testing.T, k kit) {
	w := newWorld(t, k)
	cmd := exec.CommandContext(t.Context(), "git", "-C", k.root, "show", "HEAD:bin/recollect-hook")
	script, err := cmd.Output()
	if err != nil {
		t.Skip("the repository's own bin/recollect-hook is not to be had: ", err)
	}
	if !bytes.HasPrefix(script, []byte("#!")) {
		t.Fatal("committed bin/recollect-hook is no script")
	}
	remove(t, filepath.Join(w.plugin, "bin"))
	writeFile(t, filepath.Join(w.plugin, "bin", "recollect-hook"), script, 0o755)

	var counts []int
	for range 3 {
		w.ask(t, question, []turn{{text: "It is 25."}})
		counts = append(counts, len(w.hookTroubles(t)))
	}
	if diff := cmp.Diff([]int{1, 1, 1}, counts); diff != "" {
		t.Errorf("messages to the user after each session (-want +got):\n%s", diff)
	}
	said := strings.Join(w.hookTroubles(t), "\n")
	if !strings.Contains(said, "hook_system_message") || !strings.Contains(said, "scripts/build") {
		t.Errorf("got %q, want a system message that names scripts/build", said)
	}
}

func testInstall(t *testing.T, k kit) {
	w := newWorld(t, k)
	w.client.plugin = ""
	claude := func(args ...string) { w.must(t, k.client, append([]string{"plugin"}, args...)...) }

	claude("validate", w.plugin)
	claude("marketplace", "add", w.plugin)
	claude("install", "recollect@recollect")
	w.teach(t)
	req := w.ask(t, question, []turn{{text: "It is 25."}})
	if got := req.given(); !strings.Contains(got, key) {
		t.Errorf("installed: got memories %q, want what was taught", got)
	}

	before := w.waitForMemories(t).Memories
	claude("uninstall", "recollect@recollect")
	req = w.ask(t, question, []turn{{text: "It is 25."}})
	if got := req.promptContext(); got != "" {
		t.Errorf("uninstalled: got context %q, want none", got)
	}
	if after := w.waitForMemories(t).Memories; after < before {
		t.Errorf("uninstalled: %d memories, want the %d from before", after, before)
	}
}
