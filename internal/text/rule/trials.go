package rule

import (
	"iter"
	"sync"
)

// Trials find out which of many rules may take a text, all at once.
type Trials struct {
	rules    []*Rule
	reading  sync.Once
	literals literals // of the rules, each by its position
	always   []int    // the positions of the rules that need none
}

// NewTrials returns the trials of rules.
func NewTrials(rules []*Rule) *Trials { return &Trials{rules: rules} }

func (t *Trials) read() {
	t.reading.Do(func() {
		for i, r := range t.rules {
			r.read()
			if r.needed == nil {
				t.always = append(t.always, i)
			}
			t.literals.add(i, r.needed)
		}
	})
}

// Of yields the positions of the rules that may take a text, in order. None of
// the others does.
func (t *Trials) Of(text string) iter.Seq[int] {
	t.read()
	return func(yield func(int) bool) {
		may, all := make([]bool, len(t.rules)), false
		for _, i := range t.always {
			may[i] = true
		}
		t.literals.find(text, func(of int) bool {
			if all = of == every; !all {
				may[of] = true
			}
			return !all
		})
		for i := range t.rules {
			if (all || may[i]) && !yield(i) {
				return
			}
		}
	}
}
