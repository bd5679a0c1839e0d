package projects

import (
	"log/slog"
	"maps"
	"os"
	"path/filepath"
	"testing"

	"recollect/internal/memory"
)

// What cannot be read of projects.json is begun anew.
func TestDamagedProjects(t *testing.T) {
	for _, text := range []string{"", "null", "{", `{"a":1}`} {
		home := t.TempDir()
		if err := os.WriteFile(filepath.Join(home, "projects.json"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if m := openMoves(home, slog.New(slog.DiscardHandler)); m.steps == nil || m.cameFrom(memory.Project{Name: "a", Path: home}) != "" {
			t.Errorf("%q: steps %v", text, m.steps)
		}
	}
}

// What an earlier version wrote of whom it asked is read on.
func TestMovesOfEarlierVersion(t *testing.T) {
	home := t.TempDir()
	if err := os.WriteFile(filepath.Join(home, "moves.json"), []byte(`{"v":1,"told":{"/app":true}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	m := openMoves(home, slog.New(slog.DiscardHandler))
	if m.mayAsk("/app") || !m.mayAsk("/shop") {
		t.Error("the user is asked again, or not at all")
	}
	again := openMoves(home, slog.New(slog.DiscardHandler))
	if want := map[string]bool{"/app": true, "/shop": true}; !maps.Equal(again.Asked, want) {
		t.Errorf("asked of %v, want %v", again.Asked, want)
	}
}
