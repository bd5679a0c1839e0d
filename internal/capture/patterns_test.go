package capture

import (
	"fmt"
	"testing"

	"recollect/internal/memory"
)

// ran is a command of the n-th minute, with what came of it.
func ran(n int, command, output string, failed bool) string {
	return fmt.Sprintf(`{"type":"assistant","uuid":"c%d","sessionId":"s1","cwd":"/app","timestamp":"2026-10-01T10:%02d:00Z","message":{"id":"c%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":%q}}]}}`+"\n"+
		`{"type":"user","uuid":"r%d","sessionId":"s1","cwd":"/app","timestamp":"2026-10-01T10:%02d:01Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%d","content":%q,"is_error":%t}]}}`,
		n, n, n, n, command, n, n, n, output, failed)
}

// A fix that works in two turns is learned as a pattern, whether they are read
// at once or one by one, and reading them again changes nothing.
func TestFileLearnsPatterns(t *testing.T) {
	const missing = "ModuleNotFoundError: No module named 'yaml'"
	turn := func(n int) []string {
		return []string{
			asked(n, fmt.Sprintf("run the import of region %d for me please", n)),
			ran(n+1, "python run.py", missing, true), ran(n+2, "make deps", "ok", false), ran(n+3, "python run.py", "done", false),
		}
	}
	for _, steps := range []int{1, 2} {
		d := newDesk(t)
		d.write(header)
		d.write(turn(10)...)
		if steps == 2 {
			d.take(Input{})
		}
		d.write(turn(20)...)
		d.take(Input{})
		found := map[memory.Source]int{}
		for m := range d.store.All() {
			found[m.Source] += m.Occurrences()
		}
		if found[memory.Patterns] != 1 || found[memory.Failures] != 2 {
			t.Errorf("read in %d steps: %v, want one pattern and a failure that occurred twice", steps, found)
		}
		before := d.store.Len()
		if d.take(Input{Whole: true}); d.store.Len() != before {
			t.Errorf("%d memories after reading again, %d before", d.store.Len(), before)
		}
	}
}

// A fix that was found long after the failure was first met is known from one
// turn only, however often that is read.
func TestFixFoundLaterIsNoPattern(t *testing.T) {
	const missing = "ModuleNotFoundError: No module named 'yaml'"
	d := newDesk(t)
	sources := func() map[memory.Source]int {
		found := map[memory.Source]int{}
		for m := range d.store.All() {
			found[m.Source] += m.Occurrences()
		}
		return found
	}
	d.write(header, asked(10, "run the import of the first region for me please"), ran(11, "python run.py", missing, true), replied(12, "It does not run here."),
		asked(15, "then tell me what the readme says about regions"), replied(16, "It says that there are three."))
	repaired := func(n int) {
		d.write(asked(n, fmt.Sprintf("run the import of region %d for me please", n)),
			ran(n+1, "python run.py", missing, true), ran(n+2, "make deps", "ok", false), ran(n+3, "python run.py", "done", false))
	}
	repaired(20)
	for range 2 {
		d.take(Input{Whole: true})
		if found := sources(); found[memory.Patterns] != 0 || found[memory.Failures] != 2 {
			t.Fatalf("%v, want a failure that occurred twice and no pattern", found)
		}
	}
	repaired(30)
	for range 2 {
		d.take(Input{Whole: true})
		if found := sources(); found[memory.Patterns] != 1 || found[memory.Failures] != 3 {
			t.Fatalf("%v, want a failure that occurred three times and one pattern", found)
		}
	}
	if done := d.take(Input{Whole: true}); done.Added != 0 || done.Changed != 0 {
		t.Errorf("read again: %+v, want nothing new", done)
	}
}

// What was said before the user changed their mind does not confirm what they
// say now, though it is the same.
func TestConventionChangedTwice(t *testing.T) {
	d := newDesk(t)
	d.write(header, asked(10, "tests live in test/unit"), replied(11, "Yes."), asked(20, "tests live in lab/e2e"), replied(21, "Yes."),
		asked(30, "tests live in test/unit"), replied(31, "Yes."))
	d.take(Input{Whole: true})
	var got []memory.Memory
	for m := range d.store.Source(memory.Patterns) {
		got = append(got, m)
	}
	if len(got) != 1 || got[0].Turn != "u30" || got[0].Confidence != 0.5 || got[0].ConfirmedBy != nil {
		t.Errorf("got %+v, want what was said last", got)
	}
	if done := d.take(Input{Whole: true}); done.Added != 0 || done.Changed != 0 {
		t.Errorf("read again: %+v, want nothing new", done)
	}
}
