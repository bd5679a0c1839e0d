//go:build unix

package machines

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"
)

// named is a data folder with the name of a machine.
func named(t *testing.T, home string) string {
	t.Helper()
	if err := os.MkdirAll(home, 0o700); err != nil {
		t.Fatal(err)
	}
	name, err := MakeWriter(home)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

func writerOf(t *testing.T, home string) string {
	t.Helper()
	name, err := Writer(home)
	if err != nil {
		t.Fatal(err)
	}
	return name
}

// onHost changes by what machine a folder was named.
func onHost(t *testing.T, home, host string) {
	t.Helper()
	file := filepath.Join(home, placeFile)
	b, err := os.ReadFile(file)
	var p place
	if err == nil {
		err = json.Unmarshal(b, &p)
	}
	p.Host = host
	if err == nil {
		b, err = json.Marshal(p)
	}
	if err == nil {
		err = os.WriteFile(file, b, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// A folder that was copied has another name than its original, one that was moved or restored
// the same.
func TestCopiedFolder(t *testing.T) {
	copyTo := func(t *testing.T, from, to string) {
		t.Helper()
		if err := os.CopyFS(to, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	rename := func(t *testing.T, from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		name   string
		change func(t *testing.T, was, now string)
		at     string // which folder is looked at: "was" or "now"
		copied bool
	}{
		{"nothing happened", func(*testing.T, string, string) {}, "was", false},
		{"copied", copyTo, "now", true},
		{"the original of a copy", copyTo, "was", false},
		{"moved", rename, "now", false},
		{"copied, and the original is gone", func(t *testing.T, was, now string) {
			copyTo(t, was, now)
			if err := os.RemoveAll(was); err != nil {
				t.Fatal(err)
			}
		}, "now", false},
		{"copied back in its place", func(t *testing.T, was, now string) {
			rename(t, was, now)
			copyTo(t, now, was)
			if err := os.RemoveAll(now); err != nil {
				t.Fatal(err)
			}
		}, "was", false},
		{"copied to another machine", func(t *testing.T, was, now string) {
			copyTo(t, was, now)
			onHost(t, now, "another")
			if err := os.RemoveAll(was); err != nil {
				t.Fatal(err)
			}
		}, "now", true},
		{"copied to the same path of another machine", func(t *testing.T, was, now string) {
			rename(t, was, now)
			copyTo(t, now, was)
			onHost(t, was, "another")
		}, "was", true},
		{"used from another machine", func(t *testing.T, was, _ string) { onHost(t, was, "another") }, "was", false},
		{"mounted elsewhere on another machine", func(t *testing.T, was, now string) {
			rename(t, was, now)
			onHost(t, now, "another")
		}, "now", false},
		{"of an earlier version", func(t *testing.T, was, now string) {
			if err := os.Remove(filepath.Join(was, placeFile)); err != nil {
				t.Fatal(err)
			}
			copyTo(t, was, now)
		}, "now", false},
		{"with a place that cannot be read", func(t *testing.T, was, _ string) {
			if err := os.WriteFile(filepath.Join(was, placeFile), []byte("{"), 0o600); err != nil {
				t.Fatal(err)
			}
		}, "was", false},
		{"copied without its name", func(t *testing.T, was, now string) {
			copyTo(t, was, now)
			if err := os.Remove(filepath.Join(now, writerFile)); err != nil {
				t.Fatal(err)
			}
			named(t, now)
		}, "now", true},
		{"through a link", func(t *testing.T, was, now string) {
			if err := os.Symlink(was, now); err != nil {
				t.Fatal(err)
			}
		}, "now", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			root := t.TempDir()
			was, now := filepath.Join(root, "was"), filepath.Join(root, "now")
			name := named(t, was)
			tt.change(t, was, now)
			home := map[string]string{"was": was, "now": now}[tt.at]
			if _, err := Locate(home); err != nil {
				t.Fatal(err)
			}
			got := writerOf(t, home)
			if (got != name) != tt.copied {
				t.Errorf("name %s, was %s", got, name)
			}
			if copyOf, err := Locate(home); err != nil || copyOf != "" || writerOf(t, home) != got {
				t.Errorf("again: a copy of %q, named %s, %v", copyOf, writerOf(t, home), err)
			}
		})
	}
}

// Two folders of which one was a copy lose nothing that either wrote, and list edits that did not
// know each other.
func TestCopyOfAFolderConverges(t *testing.T) {
	target := t.TempDir()
	a := newUser(t, 0)
	id := a.store(1, "first")
	if err := a.sync(target, false); err != nil {
		t.Fatal(err)
	}
	a.close()
	b := newUser(t, 0)
	b.close()
	if err := os.RemoveAll(b.m.Home); err != nil {
		t.Fatal(err)
	}
	if err := os.CopyFS(b.m.Home, os.DirFS(a.m.Home)); err != nil {
		t.Fatal(err)
	}
	for _, u := range []*replicaUser{a, b} {
		if _, err := Locate(u.m.Home); err != nil {
			t.Fatal(err)
		}
		u.m.Writer = writerOf(t, u.m.Home)
		u.open()
	}
	a.store(1, "of a")
	b.store(1, "of b")
	a.store(10, "only a has")
	b.store(11, "only b has")
	for range 3 {
		for _, u := range []*replicaUser{a, b} {
			if err := u.sync(target, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	if a.m.Writer == b.m.Writer || len(a.live()) != 3 || len(b.live()) != 3 || a.text(id) != b.text(id) {
		t.Errorf("writers %s, %s; a has %v, b %v", a.m.Writer, b.m.Writer, a.live(), b.live())
	}
	if len(a.lost)+len(b.lost) == 0 {
		t.Error("nothing is noted of the edit that is not in force")
	}
}
