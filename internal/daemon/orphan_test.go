package daemon

import (
	"os"
	"path/filepath"
	"testing"
)

// A plugin that was added by its path leaves no trace but in Claude Code's list.
func TestUninstalled(t *testing.T) {
	const with, without = `{"version":2,"plugins":{"recollect@recollect":[{"scope":"user"}],"other@x":[]}}`, `{"version":2,"plugins":{"other@x":[]}}`
	tests := []struct {
		name  string
		lists []string // one after the other; "" for no file
		want  bool     // in the end
	}{
		{"no list", []string{""}, false},
		{"never installed", []string{without, without}, false},
		{"installed", []string{with, with}, false},
		{"uninstalled", []string{with, without}, true},
		{"uninstalled, and it was the only one", []string{with, `{"version":2,"plugins":{}}`}, true},
		{"uninstalled long ago", []string{with, without, without}, true},
		{"installed later, then uninstalled", []string{"", without, with, without}, true},
		{"installed again", []string{with, without, with}, false},
		{"from another marketplace", []string{`{"plugins":{"recollect@local-mkt":[]}}`, without}, true},
		{"moved to another marketplace", []string{with, `{"plugins":{"recollect@other":[]}}`}, false},
		{"one that begins alike", []string{`{"plugins":{"recollect-more@x":[]}}`, without}, false},
		{"the list was removed", []string{with, ""}, false},
		{"the list is being written", []string{with, `{"version":2,"plu`}, false},
		{"the list is empty", []string{with, " "}, false},
		{"the list has another form", []string{with, `["recollect"]`}, false},
		{"the list has no plugins", []string{with, `{"version":3}`}, false},
		{"its plugins have another form", []string{with, `{"plugins":["other"]}`}, false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			config := t.TempDir()
			t.Setenv("CLAUDE_CONFIG_DIR", config)
			i, got := newInstallation(), false
			for _, list := range tt.lists {
				if err := os.RemoveAll(filepath.Join(config, "plugins")); err != nil {
					t.Fatal(err)
				}
				if list != "" {
					if err := os.MkdirAll(filepath.Dir(i.list), 0o700); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(i.list, []byte(list), 0o600); err != nil {
						t.Fatal(err)
					}
				}
				got = i.uninstalled()
			}
			if got != tt.want {
				t.Errorf("uninstalled = %v, want %v", got, tt.want)
			}
		})
	}
}

func TestOrphaned(t *testing.T) {
	tests := []struct {
		name, executable string
		mark             string // file that exists besides
		removed          bool
		want             bool
	}{
		{"a plugin that is installed", "1.0/node_modules/@recollect/linux-x64/bin/recollect", "", false, false},
		{"a version that was uninstalled", "1.0/node_modules/@recollect/linux-x64/bin/recollect", "1.0/" + orphanMark, false, true},
		{"an archive that was uninstalled", "1.0/bin/recollect", "1.0/" + orphanMark, false, true},
		{"another version was", "1.1/bin/recollect", "1.0/" + orphanMark, false, false},
		{"the executable was deleted", "1.0/bin/recollect", "", true, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			dir := t.TempDir()
			for _, name := range []string{tt.executable, tt.mark} {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
					t.Fatal(err)
				}
				if name == "" || name == tt.executable && tt.removed {
					continue
				}
				if err := os.WriteFile(path, nil, 0o700); err != nil {
					t.Fatal(err)
				}
			}
			if got := isOrphaned(filepath.Join(dir, tt.executable)); got != tt.want {
				t.Errorf("orphaned = %v, want %v", got, tt.want)
			}
		})
	}
}
