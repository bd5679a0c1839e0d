package capture

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// What passed in two sessions is a memory of the project, which later sessions keep up to date.
func TestCommandsThatPass(t *testing.T) {
	d := newDesk(t)
	d.counts()
	for n, command := range []string{"go test ./...", "go test ./...", "make test", "make test", "make test"} {
		records := strings.ReplaceAll(strings.Join([]string{header, asked(n+1, "run the tests"), ranIn(n+1, command, "ok", false), replied(n+1, "They pass.")}, "\n"), `"s1"`, fmt.Sprintf(`"s%d"`, n+1))
		d.path = filepath.Join(filepath.Dir(d.path), fmt.Sprintf("s%d.jsonl", n+1))
		d.write(records)
		d.take(Input{})
	}
	var got []string
	for m, err := range d.store.Source(memory.Registry) {
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, m.Title)
	}
	if want := "Commands that pass here: test `make test`"; len(got) != 1 || got[0] != want {
		t.Errorf("the project has %q, want only %q", got, want)
	}
}
