package repo

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// put writes files below a folder.
func put(t *testing.T, root string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// outcome returns what was read of each file: its title, or why it is left out.
func outcome(files []File) map[string]string {
	out := map[string]string{}
	for _, f := range files {
		if out[f.Name] = f.Shared.Title; f.Err != nil {
			out[f.Name] = f.Err.Error()
		}
	}
	return out
}

func TestRead(t *testing.T) {
	root := t.TempDir()
	if files, err := Read(root, now); files != nil || err != nil || Stamp(root) != "" {
		t.Errorf("without a folder: %v, %v, %q", files, err, Stamp(root))
	}
	later := decision
	later.Date, later.Author, later.ID = later.Date.AddDate(0, 0, 3), "Bob", ""
	put(t, root, map[string]string{
		"outside.md": decision.Markdown(), ".recollect/a.md": later.Markdown(), ".recollect/b.md": decision.Markdown(), ".recollect/c.txt": "x",
		".recollect/huge.md": decision.Markdown() + strings.Repeat("x", maxFile), ".recollect/folder/x.md": "x", ".recollect/README.md": "about",
	})
	want := map[string]string{
		"a.md": "says the same as another, b.md", "b.md": decision.Title, "c.txt": "does not end in .md", "huge.md": "has more than 16 KiB", "folder": "is a folder",
	}
	if os.Symlink(filepath.Join(root, "outside.md"), filepath.Join(root, Folder, "link.md")) == nil {
		want["link.md"] = "is a link"
	}
	before := Stamp(root)
	files, err := Read(root, now)
	if diff := cmp.Diff(want, outcome(files)); diff != "" || err != nil {
		t.Errorf("Read: %v (-want +got):\n%s", err, diff)
	}
	if before == "" || Stamp(root) != before {
		t.Error("the stamp is empty, or changes by reading")
	}
	if err := os.Remove(filepath.Join(root, Folder, "c.txt")); err != nil || Stamp(root) == before {
		t.Errorf("removed a file: %v, and the stamp is as before", err)
	}
}

func TestReadIsBounded(t *testing.T) {
	root := t.TempDir()
	files := map[string]string{}
	for i := range MaxFiles + 5 {
		one := decision
		one.Title = fmt.Sprintf("Decision %04d", i)
		files[fmt.Sprintf("%s/%04d.md", Folder, i)] = one.Markdown()
	}
	put(t, root, files)
	got, err := Read(root, now)
	if len(got) != MaxFiles || err == nil || got[0].Name != "0000.md" {
		t.Errorf("%d files, %v", len(got), err)
	}
}

// A link in the place of the folder would have anything read.
func TestReadNoFolder(t *testing.T) {
	root, other := t.TempDir(), t.TempDir()
	put(t, other, map[string]string{"a.md": decision.Markdown()})
	if err := os.Symlink(other, filepath.Join(root, Folder)); err != nil {
		t.Skip(err)
	}
	if files, err := Read(root, now); len(files) > 0 || err != ErrNotFolder {
		t.Errorf("%v, %v", files, err)
	}
}

// What a memory names is found when it is shared, and missed when it is gone.
func TestNames(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip(err)
	}
	root := t.TempDir()
	git := func(args ...string) string {
		cmd := exec.Command("git", append([]string{"-C", root, "-c", "user.name=x", "-c", "user.email=x@example.com"}, args...)...)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_NOSYSTEM=1")
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
		return strings.TrimSpace(string(out))
	}
	git("init", "-q")
	put(t, root, map[string]string{"lib/pool.go": "package lib\nfunc retryLoop() {}\n", "README.md": "about otherLoop"})
	git("add", ".")
	git("commit", "-q", "-m", "one")
	id := git("rev-parse", "--short=8", "HEAD")
	s := Shared{Kind: "decision", Author: "Ana", Date: decision.Date, Title: "`retryLoop` and otherLoop() of GitHub are in lib/pool.go and lib/gone.go since commit " + id + ", not commit 99999999", Fields: map[string]string{}}
	s.findNames(root, nil)
	if diff := cmp.Diff([][]string{{"lib/pool.go"}, {"retryLoop"}, {id}}, [][]string{s.Files, s.Symbols, s.Commits}); diff != "" {
		t.Fatalf("names (-want +got):\n%s", diff)
	}
	s.Commits = append(s.Commits, "99999999")
	put(t, root, map[string]string{Folder + "/a.md": s.Markdown()})
	gone := func() []string {
		files, err := Read(root, now)
		if err != nil || len(files) != 1 || files[0].Err != nil {
			t.Fatalf("%+v, %v", files, err)
		}
		return files[0].Gone
	}
	if diff := cmp.Diff([]string{"99999999"}, gone()); diff != "" {
		t.Errorf("gone at first (-want +got):\n%s", diff)
	}
	git("gc", "-q")
	if diff := cmp.Diff([]string{"99999999"}, gone()); diff != "" {
		t.Errorf("gone when all is packed (-want +got):\n%s", diff)
	}
	put(t, root, map[string]string{"lib/pool.go": "package lib\n"})
	if diff := cmp.Diff([]string{"retryLoop", "99999999"}, gone()); diff != "" {
		t.Errorf("gone without the function (-want +got):\n%s", diff)
	}
	if err := os.Remove(filepath.Join(root, "lib", "pool.go")); err != nil {
		t.Fatal(err)
	}
	put(t, root, map[string]string{".git/shallow": ""})
	if diff := cmp.Diff([]string{"lib/pool.go", "retryLoop"}, gone()); diff != "" {
		t.Errorf("gone in a shallow clone (-want +got):\n%s", diff)
	}
	put(t, root, map[string]string{".git/info/sparse-checkout": "/x"})
	if got := gone(); got != nil {
		t.Errorf("gone in a sparse checkout: %v", got)
	}
}
