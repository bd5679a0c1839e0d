package machines

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func bareRepository(t *testing.T) string {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("there is no git")
	}
	t.Setenv("HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_NOSYSTEM", "1")
	dir := filepath.Join(t.TempDir(), "memories.git")
	if out, err := exec.Command("git", "init", "--quiet", "--bare", dir).CombinedOutput(); err != nil {
		t.Fatalf("git init: %v: %s", err, out)
	}
	return dir
}

// Machines that push at the same time lose nothing, and have the same in the end.
func TestGitConcurrently(t *testing.T) {
	dir := bareRepository(t)
	users := []*replicaUser{newUser(t, 0), newUser(t, 0), newUser(t, 0)}
	for i, u := range users {
		u.store(1, "of all")
		u.store(10+i, "own")
	}
	var wg sync.WaitGroup
	for _, u := range users {
		wg.Go(func() {
			if _, err := u.m.Sync(t.Context(), dir, false); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	for _, u := range users {
		if _, err := u.m.Sync(t.Context(), "git+file://"+dir, false); err != nil {
			t.Fatal(err)
		}
	}
	want := users[2].live()
	if len(want) != 4 {
		t.Errorf("%d memories, want 4", len(want))
	}
	if _, err := users[0].m.Sync(t.Context(), dir, false); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, users[0].live()); diff != "" {
		t.Errorf("machines differ:\n%s", diff)
	}
}

// What was forgotten leaves the copy on this machine, with all that git has of it.
func TestGitForgets(t *testing.T) {
	dir := bareRepository(t)
	a, b := newUser(t, 0), newUser(t, 0)
	id := a.store(1, "first")
	for _, u := range []*replicaUser{a, b} {
		if _, err := u.m.Sync(t.Context(), dir, false); err != nil {
			t.Fatal(err)
		}
	}
	a.forget(id)
	for _, u := range []*replicaUser{a, b} {
		if _, err := u.m.Sync(t.Context(), dir, false); err != nil {
			t.Fatal(err)
		}
		if copies, _ := filepath.Glob(filepath.Join(u.m.Home, Folder, "*.git")); len(copies) > 0 {
			t.Errorf("%q is still there", copies)
		}
	}
	if m, err := b.m.Store.Newest(id); err != nil || !m.Deleted {
		t.Errorf("b has %+v, %v", m, err)
	}
	if err := a.m.Leave(t.Context(), dir); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command("git", "-C", dir, "ls-tree", "-r", "--name-only", branch).Output()
	if err != nil || strings.Contains(string(out), a.m.Writer) {
		t.Errorf("after leaving the repository has %s, %v", out, err)
	}
}

// A filter or a link in the repository is neither run nor followed.
func TestGitIsNotTrusted(t *testing.T) {
	dir := bareRepository(t)
	work, ran := filepath.Join(t.TempDir(), "work"), filepath.Join(t.TempDir(), "ran")
	script := `git clone -q "$1" "$2" && cd "$2" && git checkout -q -b recollect && mkdir -p recollect/00112233445566ff &&
		ln -s /etc/passwd recollect/00112233445566ff/link.jsonl && echo '* filter=evil' >.gitattributes && echo x >file && git add -A &&
		git -c user.name=x -c user.email=x@x commit -qm x && git push -q origin recollect`
	if out, err := exec.Command("sh", "-c", script, "sh", dir, work).CombinedOutput(); err != nil {
		t.Skipf("prepare: %v: %s", err, out)
	}
	if out, err := exec.Command("git", "config", "--global", "filter.evil.smudge", "touch "+ran).CombinedOutput(); err != nil {
		t.Fatalf("git config: %v: %s", err, out)
	}
	u := newUser(t, 0)
	u.store(1, "mine")
	if done, err := u.m.Sync(t.Context(), dir, false); err != nil || done.Sent != 1 || done.Received != 0 {
		t.Fatalf("sync: %+v, %v", done, err)
	}
	if _, err := os.Stat(ran); err == nil {
		t.Error("a filter of the repository was run")
	}
}
