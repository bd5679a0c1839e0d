package durable

import (
	"os"
	"path/filepath"
	"testing"
)

// Lines are appended to a new file and to an old one; a torn last line ends before them.
func TestAppendLines(t *testing.T) {
	path, torn := filepath.Join(t.TempDir(), "lines"), false
	for _, step := range []struct {
		lines string
		torn  bool
		want  string
	}{{"a\n", false, "a\n"}, {"b\n", false, "a\nb\n"}, {"c\n", true, "a\nb\n\nc\n"}} {
		torn = step.torn
		if err := AppendLines(path, []byte(step.lines), &torn); err != nil || torn {
			t.Fatalf("AppendLines(%q): %v, torn %t", step.lines, err, torn)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != step.want {
			t.Errorf("after %q the file has %q, %v, want %q", step.lines, got, err, step.want)
		}
	}
	if err := AppendLines(t.TempDir(), []byte("d\n"), &torn); err == nil {
		t.Error("AppendLines() to a folder: no error")
	}
}
