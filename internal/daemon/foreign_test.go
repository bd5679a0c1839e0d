//go:build unix

package daemon

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// other is a user that no process of the tests runs as.
const other = 60001

// plant makes files, folders and links of another user in home.
func plant(t *testing.T, home string) {
	t.Helper()
	var err error
	try := func(e error) {
		if err == nil {
			err = e
		}
	}
	mine := filepath.Join(t.TempDir(), "precious")
	try(os.WriteFile(mine, []byte("precious"), 0o600))
	for _, dir := range []string{"memories", "sessions"} {
		try(os.Mkdir(filepath.Join(home, dir), 0o700))
	}
	try(os.Chmod(filepath.Join(home, "sessions"), 0o777))
	try(os.WriteFile(filepath.Join(home, "config.toml"), []byte("[capture]\nextractor = \"ollama\"\n"), 0o666))
	try(os.WriteFile(filepath.Join(home, "sessions", "s1.json"), []byte("{}"), 0o666))
	try(os.Symlink(mine, filepath.Join(home, "memories", "inbox.jsonl")))
	try(os.Symlink(mine, filepath.Join(home, "usage.jsonl")))
	try(os.Mkdir(filepath.Join(home, "index"), 0o777))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"config.toml", "sessions/s1.json", "memories/inbox.jsonl", "usage.jsonl", "index"} {
		if err := os.Lchown(filepath.Join(home, name), other, other); err != nil {
			t.Skip("only root can give a file away: ", err)
		}
	}
	t.Cleanup(func() {
		if b, err := os.ReadFile(mine); err != nil || string(b) != "precious" {
			t.Errorf("where the links lead: %q, %v, want it as it was", b, err)
		}
	})
}

func TestForeignFilesAreSetAside(t *testing.T) {
	home := newHome(t)
	plant(t, home)
	before := Foreign(home)
	r := start(t, home)
	r.remember("the pool has 40 connections")
	if c, err := r.Config(t.Context()); err != nil || c.Problem != "" || !strings.Contains(c.TOML, "extractor = \"rules\"") {
		t.Errorf("Config() = %.60q, %q, %v, want the defaults", c.TOML, c.Problem, err)
	}
	if got := r.search("pool"); len(got) != 1 {
		t.Errorf("search() = %q, want one", got)
	}
	want := []string{"config.toml", "index", "memories/inbox.jsonl", "sessions/s1.json", "usage.jsonl"}
	if diff := cmp.Diff(want, before); diff != "" {
		t.Errorf("Foreign() before (-want +got):\n%s", diff)
	}
	for i := range want {
		want[i] += asideSuffix
	}
	if diff := cmp.Diff(want, Foreign(home)); diff != "" {
		t.Errorf("Foreign() afterwards (-want +got):\n%s", diff)
	}
	if fi, err := os.Stat(filepath.Join(home, "sessions")); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("sessions: %v, %v, want it closed to others", fi, err)
	}
}

// What is made while the daemon runs, in a folder that was opened meanwhile, is not used either.
func TestForeignFilesInARunningDaemonsFolder(t *testing.T) {
	home := newHome(t)
	r := start(t, home)
	if err := os.Chmod(home, 0o777); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(home, "config.toml")
	if err := os.WriteFile(path, []byte("[capture]\nextractor = \"ollama\"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Lchown(path, other, other); err != nil {
		t.Skip("only root can give a file away: ", err)
	}
	if c, err := r.Config(t.Context()); err != nil || !strings.Contains(c.TOML, "extractor = \"rules\"") {
		t.Errorf("Config() = %.60q, %v, want the defaults", c.TOML, err)
	}
	if diff := cmp.Diff([]string{"config.toml" + asideSuffix}, Foreign(home)); diff != "" {
		t.Errorf("Foreign() (-want +got):\n%s", diff)
	}
	if fi, err := os.Stat(home); err != nil || fi.Mode().Perm() != 0o700 {
		t.Errorf("home: %v, %v, want it closed to others", fi, err)
	}
}

func TestSetAside(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "x")
	for range 3 {
		write(t, path)
		if err := setAside(path); err != nil {
			t.Fatal(err)
		}
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	if want := []string{"x.foreign", "x.foreign2", "x.foreign3"}; !slices.Equal(names, want) {
		t.Errorf("names = %q, want %q", names, want)
	}
}
