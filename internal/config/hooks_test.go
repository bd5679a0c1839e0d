package config

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The events that can be switched off are those that Claude Code sends us.
func TestEvents(t *testing.T) {
	b, err := os.ReadFile("../../hooks/hooks.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Hooks map[string]any }
	if err := json.Unmarshal(b, &file); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(file.Hooks)), slices.Sorted(slices.Values(events))); diff != "" {
		t.Errorf("events differ from hooks.json:\n%s", diff)
	}
}

func TestOn(t *testing.T) {
	h := Hooks{Off: []string{"Stop"}}
	for event, want := range map[string]bool{"Stop": false, "PreToolUse": true, "Notification": false, "": false} {
		if got := h.On(event); got != want {
			t.Errorf("On(%q) = %v, want %v", event, got, want)
		}
	}
}
