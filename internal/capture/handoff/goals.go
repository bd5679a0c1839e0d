package handoff

import (
	"strings"

	"recollect/internal/memory"
)

// IsListClosed reports whether all of the work was committed in a turn after the one that last touched the
// to-do list: what it still has is forgotten.
func (w *Session) IsListClosed() bool { return w.work.committed > w.listed && len(w.work.unsaved) == 0 }

// Reached reports whether a handoff tells that a goal was reached: something that was done, or committed,
// has most of its words.
func Reached(m *memory.Memory, goal string) bool {
	for done := range strings.Lines(m.Fields["done"]) {
		if len(keyWords(goal)) >= leastGoal && coversText(keyWords(done), goal) {
			return true
		}
	}
	return false
}

// leastGoal is how many words that say something a goal has at least that a session may be about: "run the
// tests" is in all of them.
const leastGoal = 3

// IsAbout reports whether a handoff has most of the words of a goal.
func IsAbout(m *memory.Memory, goal string) bool {
	return len(keyWords(goal)) >= leastGoal && coversText(keyWords(m.Title+"\n"+m.Body()), goal)
}
