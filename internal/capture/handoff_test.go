package capture

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"recollect/internal/memory"
)

// editedIn is a call that edits and its result.
func editedIn(n int, file string) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"e%d","sessionId":"s1","cwd":"/app","timestamp":"2026-10-01T10:%02d:02Z","message":{"id":"x%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Edit","input":{"file_path":%q}}]}}`, n, n, n, n, "/app/"+file) + "\n" +
		fmt.Sprintf(`{"type":"user","uuid":"r%d","sessionId":"s1","cwd":"/app","timestamp":"2026-10-01T10:%02d:03Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":"updated"}]}}`, n, n, n)
}

func (d *desk) handoffs() []memory.Memory {
	d.t.Helper()
	var out []memory.Memory
	for m, err := range d.store.Source(memory.Handoffs) {
		if err != nil {
			d.t.Fatal(err)
		}
		out = append(out, m)
	}
	return out
}

// A handoff tells of the whole session, however much of it was read before,
// and is written anew when the session goes on.
func TestFileWritesHandoffs(t *testing.T) {
	d := newDesk(t)
	d.write(header, asked(1, poolPrompt), editedIn(1, "pool.go"), replied(1, poolReply))
	d.take(Input{})
	if got := d.handoffs(); len(got) != 0 {
		t.Fatalf("%d handoffs while the session lasts, want none", len(got))
	}
	d.write(asked(2, corsPrompt), editedIn(2, "cors.go"), replied(2, corsReply))
	d.take(Input{})
	d.take(Input{Ends: true})
	got := d.handoffs()
	if len(got) != 1 || !slices.Equal(got[0].Files, []string{"cors.go", "pool.go"}) {
		t.Fatalf("handoffs %+v, want one with both files", got)
	}
	if done := d.take(Input{Whole: true}); done.Added != 0 {
		t.Errorf("read as a whole: %+v, want nothing new", done)
	}
	d.write(asked(3, "and the log?"), editedIn(3, "log.go"), replied(3, "The log names the origin now."))
	d.take(Input{Ends: true})
	if again := d.handoffs(); len(again) != 1 || again[0].ID != got[0].ID || again[0].Files[0] != "log.go" {
		t.Errorf("handoffs %+v, want the same one with log.go", again)
	}
}

func TestFilePutsHandoffsInLine(t *testing.T) {
	d := newDesk(t)
	session := func(name string, n int) string {
		d.path = strings.TrimSuffix(d.path, d.path[strings.LastIndexByte(d.path, '/')+1:]) + name + ".jsonl"
		d.write(strings.ReplaceAll(strings.Join([]string{asked(n, poolPrompt), editedIn(n, "pool.go"), replied(n, poolReply)}, "\n"), `"s1"`, `"`+name+`"`))
		d.take(Input{Ends: true})
		for _, m := range d.handoffs() {
			if m.Session == name {
				return m.ID
			}
		}
		t.Fatalf("no handoff of %s", name)
		return ""
	}
	middle, oldest, newest := session("middle", 5), session("oldest", 3), session("newest", 7)
	for id, want := range map[string]string{middle: newest, oldest: newest, newest: ""} {
		if got := d.store.SupersededBy(id); got != want {
			t.Errorf("%s is replaced by %q, want %q", id, got, want)
		}
	}
}
