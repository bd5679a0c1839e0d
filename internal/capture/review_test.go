package capture

import (
	"strings"
	"testing"

	"recollect/internal/memory"
)

// What waits for review goes on waiting whatever is said again, with a review and without;
// what was approved stays so.
func TestReview(t *testing.T) {
	d := newDesk(t)
	all := Input{Review: func(memory.Source) bool { return true }}
	waiting := func() (titles []string) {
		for m, err := range d.store.Pending() {
			if err != nil {
				t.Fatal(err)
			}
			titles = append(titles, string(m.Source)+" "+m.Title+" "+m.Text)
		}
		return titles
	}
	d.write(header, asked(1, poolPrompt), replied(1, "I look at the pool first, then at what holds its connections."))
	d.take(all)
	before := waiting()
	if len(before) == 0 || d.store.Len() != 0 {
		t.Fatalf("%d memories, and %q wait, want all to", d.store.Len(), before)
	}
	d.write(replied(2, poolReply))
	if done := d.take(Input{}); done.Changed == 0 || d.store.Len() != 0 {
		t.Errorf("the turn grew without a review: %+v, %d memories, %q wait", done, d.store.Len(), waiting())
	}
	if got := strings.Join(waiting(), "\n"); !strings.Contains(got, poolReply) {
		t.Errorf("what waits is not what the turn came to: %s", got)
	}
	if done := d.take(Input{Whole: true}); done.Unchanged == 0 || done.Added+done.Changed != 0 || d.store.Len() != 0 {
		t.Errorf("imported again: %+v, %d memories", done, d.store.Len())
	}
	for m := range d.store.Pending() {
		m.SetPending(false)
		d.put(m)
	}
	approved := d.store.Len()
	d.write(replied(3, "And the limit of the server is raised too, to 50 connections."))
	if d.take(all); d.store.Len() != approved || len(waiting()) != 0 {
		t.Errorf("approved ones wait again: %q", waiting())
	}
	only := Input{Review: func(s memory.Source) bool { return s == memory.Preferences }}
	d.write(asked(4, "always use pnpm, never npm, in this repo"), replied(4, "Noted."))
	d.take(only)
	if got := waiting(); len(got) != 1 || !strings.HasPrefix(got[0], "preferences ") {
		t.Errorf("%q wait, want the wish alone", got)
	}
}
