//go:build unix

package doctor

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/config"
	"recollect/internal/share/machines"
)

// Every file with a key, a password or a token is named if others may read it, and no other.
func TestCredentials(t *testing.T) {
	tests := []struct {
		name string
		set  func(c *config.Config, file string)
		mode os.FileMode
		file string // in the data folder; else elsewhere
		open bool
	}{
		{"key of targets", nil, 0o644, machines.KeyFile, true},
		{"key of targets for a group", nil, 0o640, machines.KeyFile, true},
		{"key of targets that others may write", nil, 0o602, machines.KeyFile, true},
		{"key of targets that is closed", nil, 0o600, machines.KeyFile, false},
		{"key of targets that cannot be written", nil, 0o400, machines.KeyFile, false},
		{"password of a team", func(c *config.Config, file string) { c.Team.Credentials = file }, 0o604, "", true},
		{"password of a team that is closed", func(c *config.Config, file string) { c.Team.Credentials = file }, 0o600, "", false},
		{"token of an embedder", func(c *config.Config, file string) { c.Embedder.TokenFile = file }, 0o666, "", true},
		{"token of an extractor", func(c *config.Config, file string) { c.Capture.TokenFile = file }, 0o444, "", true},
		{"token of an extractor that is closed", func(c *config.Config, file string) { c.Capture.TokenFile = file }, 0o600, "", false},
		{"password in a target", func(c *config.Config, _ string) { c.Sync.Target = "git+https://me:secret@example.com/x.git" }, 0o644, "config.toml", true},
		{"name in a target", func(c *config.Config, _ string) { c.Sync.Target = "git+ssh://git@example.com/x.git" }, 0o644, "config.toml", false},
		{"certificates", func(c *config.Config, file string) { c.Team.CA = file }, 0o644, "", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			home := t.TempDir()
			file := filepath.Join(t.TempDir(), "credentials")
			if tt.file != "" {
				file = filepath.Join(home, tt.file)
			}
			if err := os.WriteFile(file, []byte("x"), 0o600); err != nil {
				t.Fatal(err)
			}
			if err := os.Chmod(file, tt.mode); err != nil {
				t.Fatal(err)
			}
			for _, inForce := range []bool{false, true} {
				in := &installation{home: home}
				if tt.set != nil && inForce {
					tt.set(&in.inForce, file)
				} else if tt.set != nil {
					tt.set(&in.written, file)
				}
				if got := checkCredentials(in); strings.Contains(got.Text, file) != tt.open {
					t.Errorf("doctor says %q", got.Text)
				}
			}
		})
	}
	missing := &installation{home: t.TempDir()}
	missing.written.Team.Credentials = filepath.Join(missing.home, "gone")
	if got := checkCredentials(missing); strings.Contains(got.Text, "gone") {
		t.Errorf("of a file that is not there doctor says %q", got.Text)
	}
}
