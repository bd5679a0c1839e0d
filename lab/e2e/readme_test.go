//go:build e2e

package e2e

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestReadme types what the README begins with, line by line as it stands there, and wants a memory of
// one session in the next. The last line runs these tests.
func TestReadme(t *testing.T) {
	t.Parallel()
	k := newKit(t)
	w := newWorld(t, k)
	w.client.plugin = ""
	lines := commands(t, k, "README.md", "\n# recollect\n")
	tests := len(lines) - 1
	if tests < 1 || !strings.HasPrefix(lines[tests], "scripts/test ") {
		t.Fatalf("README.md begins with %q, want commands, the last of them scripts/test", lines)
	}
	testTyped(t, w, lines[:tests])
}

// testReadme does the same with what the page for users says of a release.
func testReadme(t *testing.T, k kit, s *shop, dist string) {
	s.publish(t, dist)
	lines := commands(t, k, "docs/using.md", "\n## Install\n")
	for i, line := range lines {
		lines[i] = strings.Replace(line, "<owner>/recollect", s.marketplace(), 1) // where it would be published
	}
	testTyped(t, newShopper(t, k, s), lines)
}

// commands returns the indented lines of a section of a document, which begins with a heading.
func commands(t *testing.T, k kit, document, heading string) []string {
	t.Helper()
	_, section, _ := strings.Cut("\n"+readFile(t, filepath.Join(k.root, document)), heading)
	section, _, _ = strings.Cut(section, "\n## ")
	var lines []string
	for line := range strings.Lines(section) {
		if command, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "    "); indented {
			lines = append(lines, command)
		}
	}
	if len(lines) == 0 {
		t.Fatalf("%s has no commands under %q", document, heading)
	}
	return lines
}

// testTyped runs the lines in a fresh clone, then two sessions.
func testTyped(t *testing.T, w *world, lines []string) {
	k := w.kit
	clone := filepath.Join(w.client.home, "clone")
	copyTracked(t, k.root, clone)
	path := filepath.Join(w.client.home, "path")
	if err := errors.Join(os.MkdirAll(path, 0o700), os.Symlink(k.client, filepath.Join(path, "claude"))); err != nil {
		t.Fatal(err)
	}
	env := append(w.client.environment(), "PATH="+path+string(os.PathListSeparator)+os.Getenv("PATH"))
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOTOOLCHAIN"} {
		value, err := exec.CommandContext(t.Context(), "go", "env", name).Output()
		if err != nil {
			t.Fatalf("go env %s: %v", name, err)
		}
		env = append(env, name+"="+strings.TrimSpace(string(value)))
	}
	for _, line := range lines {
		ctx, cancel := context.WithTimeout(t.Context(), installTimeout)
		cmd := exec.CommandContext(ctx, "sh", "-c", line)
		cmd.Dir, cmd.Env, cmd.WaitDelay = clone, env, time.Second
		out, err := cmd.CombinedOutput()
		cancel()
		if err != nil && !errors.Is(err, exec.ErrWaitDelay) {
			t.Fatalf("%s: %v\n%s", line, err, out)
		}
	}
	w.teach(t)
	if told := w.ask(t, question, []turn{{text: "It is 25."}}).text(); !strings.Contains(told, key) {
		t.Errorf("the model got %q, want what was taught", told)
	}
}

// copyTracked copies the files that git knows, as they are now: what somebody
// else would clone.
func copyTracked(t *testing.T, from, to string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", "ls-files", "-z")
	cmd.Dir = from
	list, err := cmd.Output()
	if err != nil {
		t.Fatalf("git ls-files: %v", err)
	}
	for _, name := range strings.Split(strings.Trim(string(list), "\x00"), "\x00") {
		file := filepath.Join(from, name)
		fi, err := os.Stat(file)
		if errors.Is(err, os.ErrNotExist) {
			continue // removed, but not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(to, name), []byte(readFile(t, file)), fi.Mode().Perm())
	}
}
