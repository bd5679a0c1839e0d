package recall

import (
	"math"
	"testing"

	"recollect/internal/api"
)

// What was made use of before changes the worth of a prompt by what was learned, which the explanation shows, and
// nothing where it is switched off or not known.
func TestLearned(t *testing.T) {
	r := open(t, pool("note-1"))
	worth := func(h *api.Habits, learn bool) *api.Worth {
		req := ask(t, prompted)
		req.Settings = turn(t, nil, "recall.learn", learn)
		req.Habits = h
		return recall(t, r, req).Explanation.Worth
	}
	logit := func(w *api.Worth) float64 { return math.Log(w.Value / (1 - w.Value)) }
	quiet := &api.Habits{Injected: 200, Worth: -0.25}
	as := worth(nil, true)
	if w := worth(quiet, true); math.Abs(logit(w)-logit(as)+0.25) > 1e-9 || w.Learned != quiet {
		t.Errorf("worth %v of %v, explained by %+v", w.Value, as.Value, w.Learned)
	}
	for name, w := range map[string]*api.Worth{"off": worth(quiet, false), "as usual": worth(&api.Habits{Injected: 200}, true)} {
		if w.Value != as.Value || w.Learned != nil || len(w.Parts) != len(as.Parts) {
			t.Errorf("%s: worth %v, explained by %+v; want %v", name, w.Value, w.Learned, as.Value)
		}
	}
}
