package recall

import (
	"testing"

	"recollect/internal/memory"
)

// What was divided is held until the memory changes, which gives it another line.
func TestDivided(t *testing.T) {
	var d dividedCache
	m := memory.Memory{ID: "note-1", Source: memory.Inbox, Title: "Clay is kept wet"}
	d.of(&m, [2]int64{1, 1})
	m.Title = "Clay is kept dry"
	if got := d.of(&m, [2]int64{1, 1}); got[0].Text != "Clay is kept wet" || !got[0].terms.Has("wet") {
		t.Errorf("divided again: %v", got)
	}
	if got := d.of(&m, [2]int64{1, 2}); got[0].Text != "Clay is kept dry" {
		t.Errorf("out of date: %v", got)
	}
	d.forget()
	m.Title = "Clay is sold"
	if got := d.of(&m, [2]int64{1, 2}); got[0].Text != "Clay is sold" {
		t.Errorf("not forgotten: %v", got)
	}
}
