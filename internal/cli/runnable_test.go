package cli

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/spf13/cobra"
)

func TestRunnable(t *testing.T) {
	root := &cobra.Command{Use: "recollect"}
	root.AddCommand(&cobra.Command{Use: "daemon"}, &cobra.Command{Use: "search QUERY"})
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	me := ShellQuote(self)
	tests := []struct{ hint, want string }{
		{"recollect daemon stop, then rm -r x: it is rebuilt", me + " daemon stop, then rm -r x: it is rebuilt"},
		{"recollect search WORDS finds ids", me + " search WORDS finds ids"},
		{"stop it: recollect daemon; recollect search", "stop it: " + me + " daemon; " + me + " search"},
		{"recollect needs a folder", "recollect needs a folder"},
		{"recollect", "recollect"},
		{"", ""},
	}
	t.Setenv("PATH", t.TempDir())
	for _, tt := range tests {
		if got := Runnable(root, tt.hint); got != tt.want {
			t.Errorf("not in PATH: Runnable(%q) = %q, want %q", tt.hint, got, tt.want)
		}
	}

	bin := t.TempDir()
	name := "recollect" + filepath.Ext(self)
	if filepath.Ext(self) != ".exe" {
		name = "recollect"
	}
	if err := os.Symlink(self, filepath.Join(bin, name)); err != nil {
		t.Skip(err) // a system where only some may make links
	}
	t.Setenv("PATH", bin)
	for _, tt := range tests {
		if got := Runnable(root, tt.hint); got != tt.hint {
			t.Errorf("in PATH: Runnable(%q) = %q", tt.hint, got)
		}
	}
}

func TestShellQuote(t *testing.T) {
	if filepath.Separator == '\\' {
		t.Skip("for POSIX shells")
	}
	tests := []struct{ path, want string }{
		{"/usr/bin/recollect", "/usr/bin/recollect"},
		{"/Users/Ada Lovelace/x", "'/Users/Ada Lovelace/x'"},
		{"/it's/$HOME", `'/it'\''s/$HOME'`},
		{"", "''"},
	}
	for _, tt := range tests {
		if got := ShellQuote(tt.path); got != tt.want {
			t.Errorf("ShellQuote(%q) = %s, want %s", tt.path, got, tt.want)
		}
	}
}
