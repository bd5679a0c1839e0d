package recall

import (
	"slices"

	"recollect/internal/recall/brief"
	"recollect/internal/text/consolidate"
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

// A standing tells which lines of an amended session may still be injected: what it decided and the
// amending session did not change. How it came out and what was said in its turns is out of date.
// The zero value is that of a session that was not amended.
type standing struct{ amending *consolidate.Newer }

// standingOf returns what stands of the lines of a brief.
func (t *injection) standingOf(b *brief.Brief) standing {
	amending, ok := t.briefs[b.Amended]
	if !ok {
		return standing{}
	}
	return standing{t.verdicts.Newer(amending.Decisions)}
}

// hasLine reports whether a line still stands.
func (s standing) hasLine(line *brief.Line) bool {
	return s.amending == nil || line.Kind == brief.Decided && !s.amending.Contradict(line.Memory)
}
