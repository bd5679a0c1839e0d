//go:build e2e

package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience is how long a test waits for what happens in the background.
const patience = 15 * time.Second

// A kit is what all worlds share: the repository, built, and the client.
type kit struct {
	root   string
	client string
}

func newKit(t *testing.T) kit {
	t.Helper()
	k, err := makeKit()
	if errors.Is(err, errNoClient) && os.Getenv("CI") != "true" {
		t.Skip("the real client is not to be had here: ", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return k
}

// makeKit makes the kit once, for tests that run side by side.
var makeKit = sync.OnceValues(func() (kit, error) {
	path, err := installClient(context.Background())
	if err != nil {
		return kit{}, err
	}
	root, err := build()
	return kit{root: root, client: path}, err
})

// build builds the repository once, and returns its folder.
var build = sync.OnceValues(func() (string, error) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		return "", err
	}
	cmd := exec.Command(filepath.Join(root, "scripts", "build"), "recollect")
	cmd.Dir = root
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("scripts/build: %w\n%s", err, out)
	}
	return root, nil
})

// A world is one test's own machine: a home with a project, a copy of the
// plugin, a model and a client.
type world struct {
	kit    kit
	api    *api
	client *client
	plugin string

	complains bool // the client may say on stderr that a hook failed
}

func newWorld(t *testing.T, k kit) *world {
	t.Helper()
	home := shortDir(t)
	w := &world{kit: k, api: newAPI(), plugin: filepath.Join(home, "plugin")}
	t.Cleanup(w.api.server.Close)
	w.client = &client{binary: k.client, home: home, project: filepath.Join(home, "src", "orders-api"),
		plugin: w.plugin, apiURL: w.api.server.URL}
	for _, dir := range []string{w.client.project, w.client.config(), filepath.Join(home, "tmp")} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	w.settle(t)
	for _, part := range []string{".claude-plugin", "hooks/hooks.json", "bin"} {
		copyTree(t, filepath.Join(k.root, part), filepath.Join(w.plugin, part))
	}
	t.Cleanup(func() { w.stopDaemon(t) })
	return w
}

// shortDir makes a folder whose path leaves room for a socket's name: Unix
// sockets allow about a hundred bytes, and t.TempDir is long.
func shortDir(t *testing.T) string {
	t.Helper()
	parent := "/tmp"
	if _, err := os.Stat(parent); err != nil {
		parent = os.TempDir()
	}
	dir, err := os.MkdirTemp(parent, "re")
	if err != nil {
		t.Fatal(err)
	}
	// The client names sessions by the real path of their folder.
	dir, err = filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Errorf("remove world: %v", err)
		}
	})
	return dir
}

// settle answers the client's first questions and makes the project a
// repository.
func (w *world) settle(t *testing.T) {
	t.Helper()
	state := map[string]any{
		"hasCompletedOnboarding": true,
		"customApiKeyResponses":  map[string]any{"approved": []string{apiKey[len(apiKey)-20:]}, "rejected": []string{}},
		"projects":               map[string]any{w.client.project: map[string]any{"hasTrustDialogAccepted": true}},
	}
	b, err := json.Marshal(state)
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(w.client.config(), ".claude.json"), b, 0o600)
	w.must(t, "git", "init", "-q", ".")
}

// must runs a command in the world and wants status 0.
func (w *world) must(t *testing.T, name string, args ...string) result {
	t.Helper()
	r, err := w.client.run(t.Context(), name, args...)
	if err != nil {
		t.Fatal(err)
	}
	if r.status != 0 {
		t.Fatalf("%s %s: status %d\n%s%s", filepath.Base(name), strings.Join(args, " "), r.status, r.stdout, r.stderr)
	}
	return r
}

// ask runs one prompt, answered by turns, the last of which must be text. It
// wants the turn to end as it would without us, and returns the request that
// carried the prompt.
func (w *world) ask(t *testing.T, prompt string, turns []turn, args ...string) request {
	t.Helper()
	w.api.say(turns...)
	r, err := w.client.prompt(t.Context(), prompt, args...)
	if err != nil {
		t.Fatal(err)
	}
	want := turns[len(turns)-1].text
	if r.status != 0 || strings.TrimSpace(r.stdout) != want || r.stderr != "" && !w.complains {
		t.Fatalf("prompt %q: status %d, stdout %q, stderr %q, want 0, %q and nothing", prompt, r.status, r.stdout, r.stderr, want)
	}
	req, ok := w.api.find(prompt)
	if !ok {
		t.Fatalf("prompt %q: no request carries it", prompt)
	}
	return req
}

// recollect is the path of the command, in the repository: tests remove the
// plugin's own.
func (w *world) recollect() string { return filepath.Join(w.kit.root, "bin", "recollect") }

// A status is what `recollect status --json` says.
type status struct {
	PID      int `json:"pid"`
	Memories int `json:"memories"`
}

func (w *world) status(t *testing.T) (status, bool) {
	t.Helper()
	var s status
	r, err := w.client.run(cleanupContext(t), w.recollect(), "status", "--json")
	if err != nil || r.status != 0 {
		return s, false
	}
	if err := json.Unmarshal([]byte(r.stdout), &s); err != nil {
		t.Fatalf("status --json: %v: %s", err, r.stdout)
	}
	return s, true
}

// waitForMemories waits until the daemon has captured something.
func (w *world) waitForMemories(t *testing.T) status {
	t.Helper()
	var last status
	captured := within(patience, func() bool {
		s, ok := w.status(t)
		last = s
		return ok && s.Memories > 0
	})
	if !captured {
		t.Fatalf("no memory after %v: status %+v, hooks %s", patience, last, w.hookTroubles(t))
	}
	return last
}

// waitForExport waits until a text stands in what is stored.
func (w *world) waitForExport(t *testing.T, text string) {
	t.Helper()
	eventually(t, "a memory of "+text, func() bool {
		r, err := w.client.run(t.Context(), w.recollect(), "export")
		return err == nil && strings.Contains(r.stdout, text)
	})
}

// eventually asks ready until it says yes.
func eventually(t *testing.T, what string, ready func() bool) {
	t.Helper()
	if !within(patience, ready) {
		t.Fatalf("wait for %s: nothing after %v", what, patience)
	}
}

// within reports whether ready says yes in time.
func within(limit time.Duration, ready func() bool) bool {
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(limit); !ready(); <-tick.C {
		if time.Now().After(deadline) {
			return false
		}
	}
	return true
}

// brought finds the lines in which a hook tells the user what a session began with, and offers the status line once.
var brought = regexp.MustCompile(`^recollect: .* \(\d+ tokens\)(?:\nrecollect: the status line can show .*)?$`)

// hookTroubles lists the lines of all transcripts that tell of a hook which
// failed, was stopped, or has something else to say to the user.
func (w *world) hookTroubles(t *testing.T) []string {
	t.Helper()
	var found []string
	w.eachRecord(t, func(line []byte) {
		var rec struct {
			Attachment struct {
				Type    string `json:"type"`
				Content string `json:"content"`
			} `json:"attachment"`
		}
		if json.Unmarshal(line, &rec) != nil || brought.MatchString(rec.Attachment.Content) {
			return
		}
		switch rec.Attachment.Type {
		case "hook_non_blocking_error", "hook_blocking_error", "hook_error_during_execution", "hook_cancelled", "hook_system_message":
			found = append(found, string(line))
		}
	})
	return found
}

// eachRecord calls visit with each line of each transcript.
func (w *world) eachRecord(t *testing.T, visit func(line []byte)) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(w.client.config(), "projects", "*", "*.jsonl"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("find transcripts: %v, %d found", err, len(paths))
	}
	for _, path := range paths {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range bytes.Lines(b) {
			visit(line)
		}
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil {
			return err
		}
		fi, err := d.Info()
		if err != nil {
			return err
		}
		b, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		writeFile(t, filepath.Join(to, rel), b, fi.Mode().Perm())
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func writeFile(t *testing.T, path string, b []byte, mode fs.FileMode) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, b, mode); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, path string) {
	t.Helper()
	if err := os.RemoveAll(path); err != nil {
		t.Fatal(err)
	}
}
