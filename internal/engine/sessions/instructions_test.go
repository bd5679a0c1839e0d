package sessions

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// Claude Code's own memory is read from where the user has moved it.
func TestMovedMemory(t *testing.T) {
	config, moved := t.TempDir(), t.TempDir()
	transcript := filepath.Join(config, "projects", "-app", "s1.jsonl")
	read := func() bool {
		in := Instructions(memory.Project{Path: "/app"}, "/app", transcript)
		return in.Cover(&memory.Memory{Title: "deploy with make ship on Tuesdays only"})
	}
	write := func(path, text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(filepath.Join(moved, "MEMORY.md"), "- deploy with make ship on Tuesdays only\n")
	for settings, want := range map[string]bool{
		`{"autoMemoryDirectory":"` + filepath.ToSlash(moved) + `"}`: true, `{"autoMemoryDirectory":"memory"}`: false, `{"autoMemoryDirectory":7}`: false, `{`: false,
	} {
		write(filepath.Join(config, "settings.json"), settings)
		if got := read(); got != want {
			t.Errorf("with %s the memory there is read: %t, want %t", settings, got, want)
		}
	}
}

func TestSlug(t *testing.T) {
	tests := []struct{ path, want string }{
		{"/home/dev/app", "-home-dev-app"},
		{"/home/dev/My_app.v2 ü/x", "-home-dev-My-app-v2---x"},
		{"/" + strings.Repeat("a", 300), "-" + strings.Repeat("a", maxSlug-1)},
	}
	for _, tt := range tests {
		if got := slug(tt.path); got != tt.want {
			t.Errorf("slug(%q) = %q, want %q", tt.path, got, tt.want)
		}
	}
}
