package engine

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// usageLine is a reply's line of a transcript.
func usageLine(tokens int) string {
	return fmt.Sprintf(`{"type":"assistant","message":{"model":"claude-opus-5-5","usage":{"input_tokens":%d}}}`+"\n", tokens)
}

// What a prompt is told shrinks with what is left of the window.
func TestPromptGetsHeadings(t *testing.T) {
	r := start(t, newHome(t))
	r.rememberPool(t)
	sizes := map[int]int{}
	for _, percent := range []int{10, 60, 90, 97} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := os.WriteFile(path, []byte(usageLine(2000*percent)), 0o600); err != nil {
			t.Fatal(err)
		}
		sizes[percent] = len(r.toldAt(t, fmt.Sprint("s", percent), path))
	}
	if sizes[10] == 0 || sizes[10] != sizes[60] || sizes[60] != sizes[90] {
		t.Errorf("injected %v bytes, want the same with room for all of it", sizes)
	}
	if sizes[97] == 0 || sizes[97] >= sizes[90] {
		t.Errorf("injected %v bytes, want less, but something, with 97 %% full", sizes)
	}
}
