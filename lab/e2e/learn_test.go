//go:build e2e

package e2e

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Made of two pieces, so that nobody takes this file for a leak.
var (
	typedSecret   = "ghp_" + "b7Kq0vXz3nYt5Rw8Lm2Jd6Hc9Fs1Pg4Ae0Ui"
	printedSecret = "AKIA" + "Q3ZRW7NPL5XKTB2M"
)

// What a session teaches by its own structure, and the next one is told.
func TestLearning(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	tests := []struct {
		name string
		run  func(*testing.T, kit)
	}{
		{"a failure and its fix", testFailureIsTold},
		{"a commit and its reason", testCommitIsTold},
		{"a secret is kept nowhere", testSecret},
		{"a session begins with the handoff and the wishes of the last", testStart},
		{"a start that was missed is made up for", testMissedStart},
		{"what was told is told again after a compaction", testCompaction},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) { test.run(t, k) })
	}
}

// A tool that wants its settings.
const mill = `#!/bin/sh
[ -n "$MILL_STONE" ] || { echo "error: MILL_STONE is not set, so nothing can be ground" >&2; exit 2; }
echo ground
`

func testFailureIsTold(t *testing.T, k kit) {
	w := newWorld(t, k)
	writeFile(t, filepath.Join(w.client.project, "mill"), []byte(mill), 0o755)
	w.ask(t, "make the flour for the warehouse", []turn{
		bash("./mill grind rye"), bash("MILL_STONE=granite ./mill grind rye"), {text: "The flour is ready."},
	})
	eventually(t, "the failure's memory", func() bool {
		r, err := w.client.run(t.Context(), w.recollect(), "failures", "--json")
		return err == nil && strings.Contains(r.stdout, "MILL_STONE=granite")
	})
	req := w.ask(t, "why does ./mill grind rye fail with MILL_STONE is not set?", []turn{{text: "It wants a stone."}})
	got := req.given()
	if !failureID.MatchString(got) || !strings.Contains(got, "[failure]") || !strings.Contains(got, "Fix: ") || !strings.Contains(got, "MILL_STONE=granite") {
		t.Errorf("told %q, want the failure and its fix", got)
	}
	if got := w.hookTroubles(t); got != nil {
		t.Errorf("transcripts tell of hooks: %s", got)
	}
}

func testCommitIsTold(t *testing.T, k kit) {
	w := newWorld(t, k)
	for _, setting := range [][]string{{"user.name", "dev"}, {"user.email", "dev@example.org"}} {
		w.must(t, "git", append([]string{"config"}, setting...)...)
	}
	w.ask(t, "get rid of the storm of retries, please", []turn{
		{tool: "Write", input: map[string]any{"file_path": filepath.Join(w.client.project, "retry.py"), "content": "JITTER = 0.5\n"}},
		bash(`git add retry.py && git commit -q -m "Retry the shops API with jitter

All workers waited for the same second and were banned, because the API counts bursts."`),
		{text: "That is committed now."},
	})
	w.waitForMemories(t)
	req := w.ask(t, "why do we retry the shops API with jitter?", []turn{{text: "Because of the bursts."}})
	if got := req.given(); !strings.Contains(got, "- Retry the shops API with jitter: ") || strings.Count(got, "counts bursts") != 1 {
		t.Errorf("told %q, want the commit and its reason, once", got)
	}
}

// A secret is replaced wherever it comes from: the prompt, a command, what
// that prints, and what Claude makes of it.
func testSecret(t *testing.T, k kit) {
	w := newWorld(t, k)
	w.ask(t, "the checkout hangs again; the token for the registry is "+typedSecret+" if you need it", []turn{
		bash("echo AWS_ACCESS_KEY_ID=" + printedSecret + "; exit 3"),
		bash("echo " + typedSecret + " | wc -c"),
		{text: "I logged in with " + typedSecret + " and the checkout works now, since the pool of connections is large enough."},
	})
	w.waitForMemories(t)
	if r := w.must(t, w.recollect(), "export"); !strings.Contains(r.stdout, "[secret:") {
		t.Errorf("export %q has no trace of the turn's secrets", r.stdout)
	}
	w.ask(t, "which token did the registry want for the checkout?", []turn{{text: "I do not know."}})
	w.stopDaemon(t)
	for _, secret := range []string{typedSecret, printedSecret} {
		if got := filesWith(t, w.client.data(), secret); got != nil {
			t.Errorf("%s… stands in %v", secret[:4], got)
		}
	}
}

// filesWith lists the files below dir that hold text.
func filesWith(t *testing.T, dir, text string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		b, err := os.ReadFile(path)
		if bytes.Contains(b, []byte(text)) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
