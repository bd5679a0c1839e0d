package memory

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestFindCheckout(t *testing.T) {
	dir := resolve(t.TempDir())
	if c := FindCheckout(dir); c.Branch != "" || c.HasChanged("a") {
		t.Errorf("outside a repository: %+v", c)
	}
	gitIn(t, dir, "init", "--quiet", "--initial-branch=main")
	put := func(name string, at time.Time) {
		t.Helper()
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(name), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, at, at); err != nil {
			t.Fatal(err)
		}
	}
	put("old", time.Now().Add(-time.Hour))
	gitIn(t, dir, "add", ".")
	gitIn(t, dir, "commit", "--quiet", "-m", "begin")
	put("new", time.Now().Add(time.Hour))
	if c := FindCheckout(dir); c.Root != dir || c.Branch != "" || c.HasChanged("old") || !c.HasChanged("new") || c.HasChanged("../new") {
		t.Errorf("on the main branch: %+v", c)
	}
	gitIn(t, dir, "checkout", "--quiet", "-b", "tidy/ferries")
	sub := filepath.Join(dir, "sub", "folder")
	if err := os.MkdirAll(sub, 0o700); err != nil {
		t.Fatal(err)
	}
	if c := FindCheckout(sub); c.Root != dir || c.Branch != "tidy/ferries" {
		t.Errorf("on a branch: %+v", c)
	}
	tree := filepath.Join(resolve(t.TempDir()), "tree")
	gitIn(t, dir, "worktree", "add", "--quiet", "-b", "buses", tree)
	if c := FindCheckout(tree); c.Root != tree || c.Branch != "buses" || c.Step.IsZero() {
		t.Errorf("in a work tree of its own: %+v", c)
	}
	gitIn(t, tree, "checkout", "--quiet", "--detach")
	if c := FindCheckout(tree); c.Branch != "" {
		t.Errorf("without a branch: %+v", c)
	}
}
