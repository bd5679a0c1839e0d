package bench

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"recollect/internal/proof"
)

// writeHistory writes two sessions in each of which the user says a rule.
func writeHistory(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for i := range 2 {
		var b strings.Builder
		for j, text := range []string{"From now on, always glaze the big bowls before the second firing.", "Understood."} {
			kind, content := "user", fmt.Sprintf("%q", text)
			if j == 1 {
				kind, content = "assistant", fmt.Sprintf(`[{"type":"text","text":%q}]`, text)
			}
			fmt.Fprintf(&b, `{"type":%q,"uuid":"%d-%d","sessionId":"s%d","cwd":"/home/dev/kiln","timestamp":"2026-03-0%dT09:00:0%dZ","message":{"role":%q,"content":%s}}`+"\n", kind, i, j, i, i+1, j, kind, content)
		}
		if err := os.WriteFile(filepath.Join(dir, fmt.Sprintf("s%d.jsonl", i)), []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// Nothing knows nothing, a file of all rules knows the rule, and so does a command that says it at the start.
func TestRunProve(t *testing.T) {
	says := `while read -r event; do echo '{"context": "glaze the big bowls before the second firing"}'; done`
	names := []string{NoMemory, CuratedFile, says}
	got, err := RunProve(t.Context(), []string{writeHistory(t)}, names, func(err error) { t.Error(err) })
	if err != nil {
		t.Fatal(err)
	}
	for i, known := range []proof.Range{{}, {Low: 1, High: 1}, {Low: 1, High: 1}} {
		if k := got[i].Report.Kinds[proof.Rule]; k.Again != (proof.Range{Low: 1, High: 1}) || k.Known != known {
			t.Errorf("%s: %+v, want one again and %+v known", got[i].Memory, k, known)
		}
	}
	var table strings.Builder
	if err := WriteProofs(&table, got); err != nil || !strings.Contains(table.String(), "1-1 of 1-1") {
		t.Errorf("table = %q, %v", table.String(), err)
	}
	if _, err := RunProve(t.Context(), []string{writeHistory(t)}, []string{"exit 1"}, func(error) {}); err == nil {
		t.Error("a command that ends answers nothing, want an error")
	}
}
