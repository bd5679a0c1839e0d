package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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
	d.write(asked(2, corsPrompt), editedIn(2, "cors.go"), replied(2, corsReply))
	d.take(Input{})
	got := d.handoffs()
	if len(got) != 1 || !slices.Equal(got[0].Files, []string{"cors.go", "pool.go"}) {
		t.Fatalf("handoffs %+v, want one with both files", got)
	}
	if done := d.take(Input{Whole: true}); done.Added+done.Changed != 0 {
		t.Errorf("read as a whole: %+v, want nothing new", done)
	}
	d.write(asked(3, "and the log?"), editedIn(3, "log.go"), replied(3, "The log names the origin now."))
	d.take(Input{})
	if again := d.handoffs(); len(again) != 1 || again[0].ID != got[0].ID || again[0].Files[0] != "log.go" {
		t.Errorf("handoffs %+v, want the same one with log.go", again)
	}
}

// sessionLines are the lines of a session in which something is put off, left
// open, done later and explained.
func sessionLines() []string {
	text := strings.Join([]string{
		header,
		asked(1, "the nightly import of the tariffs crashes, why?"), editedIn(1, "import.go"),
		replied(1, "Root cause: the reader closes the file before the last row is parsed.\n\nStill open: the log, and a test of the empty file."),
		asked(2, "ok. add the test of the empty file. the log tomorrow"), editedIn(2, "import_test.go"), replied(2, "The test of the empty file is written.\n\nShall I rename the reader?"),
		asked(3, "later"), replied(3, "OK, as it is then."),
	}, "\n")
	return strings.Split(text, "\n")
}

// However a session is read, its handoff is the same in the end.
func TestHandoffDoesNotDependOnReadings(t *testing.T) {
	lines := sessionLines()
	whole := func(d *desk) { d.write(lines...); d.take(Input{}) }
	tests := map[string]func(d *desk){
		"whole": whole,
		"line by line": func(d *desk) {
			for _, l := range lines {
				d.write(l)
				d.take(Input{})
			}
		},
		"line by line after kill -9": func(d *desk) {
			for _, l := range lines {
				d.write(l)
				d.restart()
				d.take(Input{})
			}
		},
		"twice": func(d *desk) { whole(d); d.take(Input{}); d.take(Input{Whole: true}) },
		"with the last reply from the hook": func(d *desk) {
			d.write(lines[:len(lines)-1]...)
			d.take(Input{LastReply: "OK, as it is then."})
			d.write(lines[len(lines)-1])
			d.take(Input{})
		},
		"replaced by another and back": func(d *desk) {
			whole(d)
			d.rewrite(lines[:4])
			d.take(Input{})
			d.rewrite(lines)
			d.take(Input{})
		},
		"without its offset": func(d *desk) { whole(d); d.forgetOffsets(); d.take(Input{}) },
	}
	for i := range lines {
		tests[fmt.Sprintf("in two pieces, %d", i)] = func(d *desk) {
			d.write(lines[:i]...)
			d.take(Input{})
			d.write(lines[i:]...)
			d.take(Input{})
		}
	}
	once := newDesk(t)
	whole(once)
	want := once.handoffs()
	if len(want) != 1 || want[0].Fields["cause"] == "" || want[0].Fields["open"] != "" || strings.Count(want[0].Fields["next"], "turn") != 2 {
		t.Fatalf("handoffs %+v, want one with a cause, nothing open and two steps", want)
	}
	for name, read := range tests {
		t.Run(name, func(t *testing.T) {
			d := newDesk(t)
			read(d)
			if diff := cmp.Diff(want, d.handoffs(), cmpopts.IgnoreFields(memory.Memory{}, "RecordedAt")); diff != "" {
				t.Errorf("handoffs (-want +got):\n%s", diff)
			}
		})
	}
}

// restart loses what a Capture keeps in memory.
func (d *desk) restart() {
	d.capture = New(d.capture.offsets.dir, d.store, d.capture.write)
}

func (d *desk) forgetOffsets() {
	d.t.Helper()
	if err := os.RemoveAll(d.capture.offsets.dir); err != nil {
		d.t.Fatal(err)
	}
}

// rewrite writes another transcript in place of the one there.
func (d *desk) rewrite(lines []string) {
	d.t.Helper()
	if err := os.Remove(d.path); err != nil {
		d.t.Fatal(err)
	}
	d.write(lines...)
}

// A session that goes on is not read again from its beginning: what lies before
// the last turn is in memory.
func TestHandoffReadsOn(t *testing.T) {
	d := newDesk(t)
	lines := sessionLines()
	for i, l := range lines {
		d.write(l)
		d.take(Input{})
		was, _ := d.capture.offsets.read(d.capture.offsets.file(d.path))
		if kept, ok := d.capture.states.Get(d.path); !ok || kept.offset != was.Offset {
			t.Fatalf("after line %d: kept up to %d, %v; want %d", i, kept.offset, ok, was.Offset)
		}
	}
}

// What the user made of a handoff stays until the session goes on.
func TestEditedHandoffStays(t *testing.T) {
	d := newDesk(t)
	lines := sessionLines()
	d.write(lines...)
	d.take(Input{})
	mine := d.handoffs()[0]
	mine.Title = "the tariffs"
	d.put(mine)
	d.take(Input{})
	d.restart()
	d.take(Input{Whole: true})
	if got := d.handoffs(); got[0].Title != "the tariffs" {
		t.Errorf("title %q, want the user's", got[0].Title)
	}
}

// Each session's handoff stands for itself, in whichever order they are read.
func TestHandoffsReplaceNone(t *testing.T) {
	d := newDesk(t)
	for _, n := range []int{5, 3, 7} {
		name := fmt.Sprint("s", n)
		d.path = filepath.Join(filepath.Dir(d.path), name+".jsonl")
		d.write(strings.ReplaceAll(strings.Join([]string{asked(n, poolPrompt), editedIn(n, "pool.go"), replied(n, poolReply)}, "\n"), `"s1"`, `"`+name+`"`))
		d.take(Input{})
	}
	got := d.handoffs()
	if len(got) != 3 {
		t.Fatalf("%d handoffs, want 3", len(got))
	}
	for _, m := range got {
		if by := d.store.SupersededBy(m.ID); by != "" || len(m.Supersedes) > 0 {
			t.Errorf("handoff of %s is replaced by %q and replaces %q, want neither", m.Session, by, m.Supersedes)
		}
	}
}
