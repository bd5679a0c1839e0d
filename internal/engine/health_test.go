package engine

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/api"
)

// A line of a log that cannot be read is a problem of its own kind.
func TestHealthNamesUnreadableLines(t *testing.T) {
	home := newHome(t)
	path := filepath.Join(home, "memories", "inbox.jsonl")
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("no JSON\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	var h api.Health
	openIdle(t, home).Health(&h)
	if len(h.Details) != 1 || h.Details[0].Kind != api.LogProblem || !strings.HasPrefix(h.Problems[0], "inbox.jsonl:1: ") {
		t.Errorf("Health() = %q, %+v, want the line", h.Problems, h.Details)
	}
}
