package recall

import (
	"slices"
)

// maxSuccessors bounds how often the same may have been decided anew, so that memories
// which supersede each other in a circle end.
const maxSuccessors = 16

// addSuccessors makes candidates of the memories that supersede what the prompt found: the
// words of an outdated decision ask for the one that replaced it, whatever words that has.
func (r *Recall) addSuccessors(t *scored, found []*candidate) []*candidate {
	for _, c := range found {
		if c.superseded == "" {
			continue
		}
		id := c.superseded
		for range maxSuccessors {
			next := r.Store.SupersededBy(id)
			if next == "" {
				break
			}
			id = next
		}
		successor := t.candidateOf(id)
		if !r.readMemory(successor) {
			continue
		}
		successor.relevance = max(successor.relevance, c.relevance)
		if !slices.Contains(found, successor) {
			found = append(found, successor)
		}
	}
	return found
}
