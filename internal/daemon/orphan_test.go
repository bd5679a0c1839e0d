package daemon

import (
	"os"
	"path/filepath"
	"testing"
)

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
			if got := orphaned(filepath.Join(dir, tt.executable)); got != tt.want {
				t.Errorf("orphaned = %v, want %v", got, tt.want)
			}
		})
	}
}
