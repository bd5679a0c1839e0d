package capture

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
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

// ofSession returns a desk beside d, with the transcript of another session of the project.
func (d *desk) ofSession(id string, records ...string) *desk {
	d.t.Helper()
	other := *d
	other.path = filepath.Join(filepath.Dir(d.path), id+".jsonl")
	for i, record := range records {
		records[i] = strings.ReplaceAll(record, `"s1"`, strconv.Quote(id))
	}
	other.write(records...)
	return &other
}

// isOpen reports whether the store has a goal as open.
func (d *desk) isOpen(title string) bool {
	d.t.Helper()
	for m, err := range d.store.Source(memory.Goals) {
		if err != nil {
			d.t.Fatal(err)
		}
		if m.Title == title && !m.Done() {
			return true
		}
	}
	return false
}

// A goal of a session ends with what later ones do: its commit, the same thing reported as done, or two
// sessions that went elsewhere, in whatever order they are read.
func TestGoalsEndLater(t *testing.T) {
	const goal = "Write the manual of the gates"
	list := usedTodos(1, todoItem(goal, "pending")+","+todoItem("Draw the gates", "completed"))
	tests := []struct {
		name  string
		later [][]string // the records of each later session
		open  bool
	}{
		{"no later session", nil, true},
		{"one that went elsewhere", [][]string{{asked(5, "count the lamps of the yard"), editedIn(5, "lamps.go"), replied(5, "There are 12 lamps.")}}, true},
		{"two that went elsewhere", [][]string{
			{asked(5, "count the lamps of the yard"), editedIn(5, "lamps.go"), replied(5, "There are 12 lamps.")},
			{asked(7, "name the tracks of the depot"), editedIn(7, "tracks.go"), replied(7, "Each track has a name.")},
		}, false},
		{"one of two was about it", [][]string{
			{asked(5, "count the lamps of the yard"), editedIn(5, "lamps.go"), replied(5, "There are 12 lamps.")},
			{asked(7, "how long will the manual of the gates be? write a page of it"), editedIn(7, "manual.md"), replied(7, "The first page has the signals.")},
		}, true},
		{"reported as done", [][]string{{asked(5, "write what is missing"), editedIn(5, "manual.md"), replied(5, "The manual of the gates is written.")}}, false},
		{"committed", [][]string{{asked(5, "commit what is there"), editedIn(5, "manual.md"), replied(5, "The manual of the gates was committed with the page of the signals.")}}, false},
		{"only asked about", [][]string{{asked(5, "is it much work?"), editedIn(5, "lamps.go"), replied(5, "The lamps are counted. A manual takes a day.")}}, true},
	}
	for _, tt := range tests {
		for _, backwards := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, backwards %v", tt.name, backwards), func(t *testing.T) {
				first := newDesk(t)
				first.write(asked(1, "draw the gates"), list, replied(1, "The gates are drawn."))
				desks := []*desk{first}
				for i, records := range tt.later {
					desks = append(desks, first.ofSession(fmt.Sprint("s", i+2), slices.Clone(records)...))
				}
				if backwards {
					slices.Reverse(desks)
				}
				for _, d := range desks {
					d.take(Input{Whole: true, Backwards: backwards})
				}
				if got := first.isOpen(goal); got != tt.open {
					t.Errorf("open %v, want %v", got, tt.open)
				}
			})
		}
	}
}

// A goal that lapsed is kept, and open again once somebody takes it up.
func TestLapsedGoalComesBack(t *testing.T) {
	d := newDesk(t)
	d.write(asked(1, "draw the gates"), usedTodos(1, todoItem("Write the docs page", "pending")))
	d.take(Input{})
	for i := range 2 {
		other := d.ofSession(fmt.Sprint("s", i+2), asked(5+i, "count the lamps of the yard"), editedIn(5+i, "lamps.go"), replied(5+i, "There are 12 lamps."))
		other.take(Input{})
	}
	d.take(Input{Whole: true})
	if got := d.goals(); len(got) != 1 || d.isOpen("Write the docs page") {
		t.Fatalf("goals %q, want the lapsed one", got)
	}
	again := d.ofSession("s4", asked(9, "now the docs"), usedTodos(9, todoItem("Write the docs page", "in_progress")))
	again.take(Input{})
	if !d.isOpen("Write the docs page") {
		t.Error("a goal that was taken up again is not open")
	}
}
