package config

import (
	"os"
	"strings"
	"testing"
)

// Settings of another user are a mistake, and not in force.
func TestForeignSettings(t *testing.T) {
	home := t.TempDir()
	path, _ := Paths(home)
	if err := os.WriteFile(path, []byte("[capture]\nextractor = \"ollama\"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Lchown(path, 60001, 60001); err != nil {
		t.Skip("only root can give a file away: ", err)
	}
	l, err := NewLive(home, nil)
	if err != nil {
		t.Fatal(err)
	}
	if s := l.Current(); s.Err == nil || !strings.Contains(s.Err.Error(), "belongs to another user") || s.Capture.Extractor != Default().Capture.Extractor {
		t.Errorf("Current() = extractor %q, %v, want the default and why", s.Capture.Extractor, s.Err)
	}
	if _, _, err := Load(home, nil); err == nil {
		t.Error("Load() = nil, want an error")
	}
}
