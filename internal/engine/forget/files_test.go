package forget

import (
	"os"
	"path/filepath"
	"testing"
)

// The report loses the findings of what is forgotten, never its counts.
func TestCutReport(t *testing.T) {
	home := t.TempDir()
	const counts = `{"sessions":3,"question":{"again":1},"note-1":"s1"}` + "\n"
	const other = `{"kind":"rule","ids":["note-12"],"session":"s12"}` + "\n"
	file := filepath.Join(home, Report)
	if err := os.WriteFile(file, []byte(counts+`{"kind":"question","ids":["note-1"]}`+"\n"+other+`{"kind":"rule","session":"s1"}`+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	traces := Traces{IDs: map[string]bool{"note-1": true}, Sessions: map[string]bool{"s1": true}}
	if err := traces.CutReport(home); err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadFile(file); err != nil || string(left) != counts+other {
		t.Errorf("left %q, %v", left, err)
	}
}
