package capture

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

func usedTodos(n int, todos string) string {
	return fmt.Sprintf(`{"type":"assistant","sessionId":"s1","timestamp":"2026-10-01T10:%02d:30Z","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":"t%d","name":"TodoWrite","input":{"todos":[%s]}}]}}`, n, n, n, todos)
}

// That something is done is kept only of what was open when a turn was seen,
// however many turns ago that was.
func TestGoalsInStore(t *testing.T) {
	d := newDesk(t)
	state := func() map[string]bool {
		out := map[string]bool{}
		for m, err := range d.store.Source(memory.Goals) {
			if err != nil {
				t.Fatal(err)
			}
			out[m.Title] = m.Done()
		}
		return out
	}
	d.write(asked(1, "port the importer"), usedTodos(1, todoItem("Port the parser part", "completed")+","+todoItem("Write the docs page", "pending")))
	d.take(Input{})
	if diff := cmp.Diff(map[string]bool{"Write the docs page": false}, state()); diff != "" {
		t.Fatalf("after the first turn (-want +got):\n%s", diff)
	}
	d.write(asked(2, "what is the port?"), replied(2, "It is 8080."), asked(3, "finish it"),
		usedTodos(3, todoItem("Write the docs page", "completed")+","+todoItem("Tag the new release", "completed")))
	d.take(Input{})
	if diff := cmp.Diff(map[string]bool{"Write the docs page": true}, state()); diff != "" {
		t.Errorf("after the third turn (-want +got):\n%s", diff)
	}
	d.take(Input{Whole: true})
	if diff := cmp.Diff(map[string]bool{"Write the docs page": true}, state()); diff != "" {
		t.Errorf("read once more (-want +got):\n%s", diff)
	}
}

// A turn that is read half way leaves a goal open; its end closes it.
func TestGoalsOfGrownTurn(t *testing.T) {
	d := newDesk(t)
	d.write(asked(1, "port the importer"), usedTodos(1, todoItem("Write the docs page", "in_progress")))
	d.take(Input{})
	d.write(usedTodos(2, todoItem("Write the docs page", "completed")))
	d.take(Input{})
	for m, err := range d.store.Source(memory.Goals) {
		if err != nil || !m.Done() {
			t.Errorf("goal %q with tags %v is open; error %v", m.Title, m.Tags, err)
		}
	}
}

func todoItem(content, status string) string {
	return fmt.Sprintf(`{"content":%q,"status":%q,"activeForm":"x"}`, content, status)
}
