package internal

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/config"
)

// What the README says of hooks and defaults must be so.
func TestReadme(t *testing.T) {
	readme := read(t, "../README.md")
	c := config.Default()
	for _, want := range []string{
		fmt.Sprintf("at most %d memories and %d tokens", c.Budget.Items, c.Budget.Tokens),
		"scripts/try ", "scripts/test ",
	} {
		if !strings.Contains(readme, want) {
			t.Errorf("README.md does not say %q", want)
		}
	}
	var events []string
	for _, line := range strings.Split(readme, "\n") {
		if cells := strings.Split(line, "`"); strings.HasPrefix(line, "| `") && len(cells) > 2 && (strings.Contains(line, " s |") || strings.Contains(line, " ms |")) {
			events = append(events, cells[1])
		}
	}
	if diff := cmp.Diff(slices.Sorted(maps.Keys(hooks(t))), slices.Sorted(slices.Values(events))); diff != "" {
		t.Errorf("README.md has other events than hooks.json:\n%s", diff)
	}
}

// Every hook is in exec form, so that no shell starts, and gives up before
// the client would show a notice. No tool call waits for what only listens.
func TestHooksJSON(t *testing.T) {
	for event, entries := range hooks(t) {
		listens := strings.HasPrefix(event, "PostToolUse")
		for _, e := range entries {
			for _, h := range e.Hooks {
				if h.Type != "command" || h.Command != "${CLAUDE_PLUGIN_ROOT}/bin/recollect-hook" || h.Args == nil || h.Timeout != 2 || h.Async != listens {
					t.Errorf("%s: hook %+v", event, h)
				}
			}
		}
	}
}

type entry struct {
	Hooks []struct {
		Type, Command string
		Args          []string
		Timeout       int
		Async         bool
	}
}

func hooks(t *testing.T) map[string][]entry {
	t.Helper()
	var file struct{ Hooks map[string][]entry }
	if err := json.Unmarshal([]byte(read(t, "../hooks/hooks.json")), &file); err != nil {
		t.Fatal(err)
	}
	return file.Hooks
}

func read(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
