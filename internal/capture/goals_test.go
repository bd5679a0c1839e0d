package capture

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

func usedTodos(n int, todos string) string {
	return fmt.Sprintf(`{"type":"assistant","sessionId":"s1","timestamp":"2026-10-01T10:%02d:30Z","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"TodoWrite","input":{"todos":[%s]}}]}}`, n, n, n, todos)
}

// goals returns the titles of the goals in the store.
func (d *desk) goals() []string {
	d.t.Helper()
	var out []string
	for m, err := range d.store.Source(memory.Goals) {
		if err != nil {
			d.t.Fatal(err)
		}
		out = append(out, m.Title)
	}
	return out
}

// A goal leaves the store once it is reached or dropped from the list, however
// many turns ago it was set, and comes back only where it is open later.
func TestGoalsInStore(t *testing.T) {
	d := newDesk(t)
	want := func(when string, goals ...string) {
		t.Helper()
		if diff := cmp.Diff(goals, d.goals()); diff != "" {
			t.Fatalf("%s (-want +got):\n%s", when, diff)
		}
	}
	d.write(asked(1, "port the importer"), usedTodos(1, todoItem("Port the parser part", "completed")+","+todoItem("Write the docs page", "pending")+","+todoItem("Ask for a logo", "pending")))
	d.take(Input{})
	want("after the first turn", "Write the docs page", "Ask for a logo")
	d.write(asked(2, "what is the port?"), replied(2, "It is 8080."), asked(3, "finish it"),
		usedTodos(3, todoItem("Write the docs page", "completed")+","+todoItem("Tag the new release", "completed")))
	d.take(Input{})
	want("done and dropped in the third turn")
	if err := d.store.Compact(memory.Goals); err != nil {
		t.Fatal(err)
	}
	d.take(Input{Whole: true})
	want("read once more")
	d.write(asked(4, "the page is gone"), usedTodos(4, todoItem("Write the docs page", "pending")))
	d.take(Input{})
	want("open again", "Write the docs page")
	d.write(asked(5, "leave the page"), usedTodos(5, todoItem("Write the docs page", "completed")), asked(6, "no, we need it"), usedTodos(6, todoItem("Write the docs page", "pending")))
	d.take(Input{})
	want("done and open again at once", "Write the docs page")
}

// A goal that the user has forgotten stays forgotten while the list has it.
func TestForgottenGoal(t *testing.T) {
	d := newDesk(t)
	d.write(asked(1, "port the importer"), usedTodos(1, todoItem("Write the docs page", "pending")))
	d.take(Input{})
	for m := range d.store.Source(memory.Goals) {
		if _, err := d.store.Delete(time.Now(), m.ID); err != nil {
			t.Fatal(err)
		}
	}
	d.write(asked(2, "go on"), usedTodos(2, todoItem("Write the docs page", "in_progress")))
	d.take(Input{})
	if got := d.goals(); got != nil {
		t.Errorf("goals %q came back", got)
	}
}

// A turn that is read half way leaves a goal open; its end closes it.
func TestGoalsOfGrownTurn(t *testing.T) {
	d := newDesk(t)
	d.write(asked(1, "port the importer"), usedTodos(1, todoItem("Write the docs page", "in_progress")))
	d.take(Input{})
	d.write(usedTodos(2, todoItem("Write the docs page", "completed")))
	d.take(Input{})
	if got := d.goals(); got != nil {
		t.Errorf("goals %q are open", got)
	}
}

func todoItem(content, status string) string {
	return fmt.Sprintf(`{"content":%q,"status":%q,"activeForm":"x"}`, content, status)
}

// Where the newest file is captured first, a goal that it reached is not open because an older
// one set it; one that was set again later is.
func TestGoalsBackwards(t *testing.T) {
	older, newer := newDesk(t), newDesk(t)
	newer.store, newer.capture = older.store, older.capture
	older.write(asked(1, "port the importer"), usedTodos(1, todoItem("Write the docs page", "pending")+","+todoItem("Tag the new release", "pending")))
	newer.write(asked(3, "finish it"), usedTodos(3, todoItem("Write the docs page", "completed")))
	for _, d := range []*desk{newer, older, newer} {
		d.take(Input{Whole: true, Backwards: true})
	}
	if diff := cmp.Diff([]string{"Tag the new release"}, older.goals()); diff != "" {
		t.Errorf("open goals (-want +got):\n%s", diff)
	}
	newer.write(asked(4, "the page is gone"), usedTodos(4, todoItem("Write the docs page", "pending")))
	newer.take(Input{})
	if diff := cmp.Diff([]string{"Tag the new release", "Write the docs page"}, older.goals()); diff != "" {
		t.Errorf("open goals after one was set again (-want +got):\n%s", diff)
	}
}
