package connect

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The plugin names the hook, whatever its path, and is known again, also when it is of another version.
func TestPlugin(t *testing.T) {
	a, err := Find("opencode")
	if err != nil {
		t.Fatal(err)
	}
	for _, hook := range []string{"/home/me/.recollect/bin/recollect-hook", `C:/Users/a "b"/$& $1/recollect-hook.exe`} {
		text, _, err := a.Enter(blank, hook)
		if err != nil {
			t.Fatal(err)
		}
		commands, err := a.Commands(text)
		if err != nil || !a.Complete(commands, hook) {
			t.Errorf("%s: got %v, %v", hook, commands, err)
		}
		if back, err := a.Remove(text, nil); err != nil || back != blank {
			t.Errorf("%s: removed: got %q, %v", hook, back, err)
		}
		old := strings.Replace(text, "const patience = ", "const limit = ", 1)
		commands, err = a.Commands(old)
		if err != nil || a.Complete(commands, hook) || len(commands) == 0 {
			t.Errorf("another version: got %v, %v", commands, err)
		}
		if back, err := a.Remove(old, nil); err != nil || back != blank {
			t.Errorf("another version, removed: got %q, %v", back, err)
		}
	}
}

// A file that is not ours is not touched.
func TestPluginOfOthers(t *testing.T) {
	a, err := Find("opencode")
	if err != nil {
		t.Fatal(err)
	}
	const mine = "export const Mine = async () => ({})\n"
	if text, _, err := a.Enter(mine, "/bin/recollect-hook"); err == nil {
		t.Errorf("entered: got %q", text)
	}
	back, err := a.Remove(mine, nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(mine, back); d != "" {
		t.Errorf("removed (-want +got):\n%s", d)
	}
	if commands, err := a.Commands(mine); err != nil || len(commands) > 0 {
		t.Errorf("got %v, %v", commands, err)
	}
}
