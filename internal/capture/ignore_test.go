package capture

import (
	"strings"
	"testing"
)

// What a session did with an ignored file is not in any memory of it.
func TestFileIgnores(t *testing.T) {
	const turn = `{"type":"user","uuid":"u1","sessionId":"s1","cwd":"/src/app","timestamp":"2026-05-04T08:12:40Z","message":{"role":"user","content":"why does the app not find its settings when it starts?"}}
{"type":"assistant","uuid":"u2","message":{"role":"assistant","id":"m1","content":[{"type":"tool_use","id":"t1","name":"Bash","input":{"command":"npm run hush -- .env","description":"hush"}}]}}
{"type":"user","uuid":"u3","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","is_error":true,"content":"Exit code 1\nError: hush is not set"}]}}
{"type":"assistant","uuid":"u4","message":{"role":"assistant","id":"m2","content":[{"type":"text","text":"The name of the variable is misspelled, so it falls back to its default."}]}}`
	for _, ignore := range [][]string{nil, {".env"}} {
		d := newDesk(t)
		d.write(turn)
		d.take(Input{Ignore: ignore})
		found := false
		for _, id := range d.store.IDs() {
			m, err := d.store.Get(id)
			if err != nil {
				t.Fatal(err)
			}
			found = found || strings.Contains(m.Title+m.Body()+strings.Join(m.Keywords, " "), "hush")
		}
		if want := ignore == nil; found != want || d.store.Len() == 0 {
			t.Errorf("with %q ignored the command is told = %t of %d memories, want %t", ignore, found, d.store.Len(), want)
		}
	}
}
