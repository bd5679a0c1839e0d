package memory

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// gitIn runs git in a folder.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgsign=false"}, args...)...)
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// The last commit of a repository, and whether another has it, as git says.
func TestCommits(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed")
	}
	root := t.TempDir()
	begin := func(name string) string {
		dir := filepath.Join(root, name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		gitIn(t, dir, "init", "-q", "-b", "main")
		return dir
	}
	app, empty := begin("app[1]*"), begin("empty")
	for range 3 {
		gitIn(t, app, "commit", "-q", "--allow-empty", "-m", "go on")
	}
	first, last := gitIn(t, app, "rev-parse", "HEAD~2"), gitIn(t, app, "rev-parse", "HEAD")
	at := func(dir string) Project { return Project{Path: dir} }
	check := func(when string) {
		t.Helper()
		if got := at(app).LastCommit(); got != last {
			t.Errorf("%s: last commit %q, want %q", when, got, last)
		}
		if !at(app).HasCommit(first) || !at(app).HasCommit(last) {
			t.Errorf("%s: it lacks its own commits", when)
		}
		if at(app).HasCommit(strings.Repeat("0", 40)) || at(app).HasCommit(strings.Repeat("f", 40)) {
			t.Errorf("%s: it has a commit that is none", when)
		}
	}
	check("loose")
	gitIn(t, app, "gc", "-q")
	check("packed")
	gitIn(t, app, "checkout", "-q", "--detach")
	check("detached")
	for _, dir := range []string{empty, filepath.Join(root, "none"), ""} {
		if got := at(dir).LastCommit(); got != "" || at(dir).HasCommit(last) {
			t.Errorf("%q: last commit %q", dir, got)
		}
	}
	for _, name := range []string{"", "x", "../../../etc/passwd", last[:8]} {
		if at(app).HasCommit(name) {
			t.Errorf("it has the commit %q", name)
		}
	}
}
