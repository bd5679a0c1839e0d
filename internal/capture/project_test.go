package capture

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// A project is written down once, anew when its files say something else, and
// as the user edited it until then.
func TestProject(t *testing.T) {
	d := newDesk(t)
	root := lay(t, map[string]string{"go.mod": "module ledger\n"})
	home := memory.Project{Name: "ledger", Path: root}
	register := func() memory.Memory {
		t.Helper()
		if err := d.capture.Project(t.Context(), home); err != nil {
			t.Fatal(err)
		}
		var found []memory.Memory
		for m := range d.store.Source(memory.Registry) {
			found = append(found, m)
		}
		if len(found) != 1 {
			t.Fatalf("%d records, want one", len(found))
		}
		return found[0]
	}
	m := register()
	m.Text = "edited by hand"
	d.put(m)
	if got := register().Text; got != m.Text {
		t.Errorf("text %q, want the edited one", got)
	}
	if err := os.WriteFile(filepath.Join(root, "Makefile"), []byte("test:\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := register().Text; !strings.Contains(got, "make test") {
		t.Errorf("text %q, want the new command", got)
	}
}

func TestProjectPassesOver(t *testing.T) {
	d := newDesk(t)
	root := lay(t, map[string]string{"go.mod": "module x\n", "me/go.mod": "module me\n"})
	t.Setenv("HOME", filepath.Join(root, "me"))
	t.Setenv("USERPROFILE", filepath.Join(root, "me"))
	for _, path := range []string{"", "/", root, filepath.Join(root, "me"), filepath.Join(root, "gone")} {
		if err := d.capture.Project(t.Context(), memory.Project{Name: "x", Path: path}); err != nil || d.store.Len() > 0 {
			t.Errorf("Project(%q): %v, %d memories, want none", path, err, d.store.Len())
		}
	}
}

func lay(t *testing.T, files map[string]string) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return root
}
