package recall

import (
	"testing"

	"recollect/internal/memory"
	"recollect/internal/recall/block"
	"recollect/internal/recall/request"
)

func TestPartGiven(t *testing.T) {
	m := inbox("note-1", "the ferry export", "The export stops before the last row of a timetable. The surcharge for bicycles is 3.20 in the summer months. "+
		"Winter timetables begin on the second Sunday of December, when the night ferries end, and are printed in two columns.")
	res := request.Result{Keys: map[string]string{}}
	const said = "The surcharge for bicycles is 3.20 in the summer months."
	res.AddStatements(&m, 1, "[note] "+said, []block.Statement{{Text: said}})
	if got := PartGiven(res.Keys, m); got.Title+got.Text != said {
		t.Errorf("of one statement: %q, %q", got.Title, got.Text)
	}
	if got := PartGiven(nil, m); got.Text != m.Text {
		t.Errorf("of nothing that is known: %q", got.Text)
	}
	if got := PartGiven(map[string]string{m.ID: m.ContentKey()}, m); got.Text != m.Text {
		t.Errorf("of the whole: %q", got.Text)
	}
	m.Source = memory.Failures
	if got := PartGiven(res.Keys, m); got.Text != m.Text {
		t.Errorf("of a failure: %q", got.Text)
	}
}
