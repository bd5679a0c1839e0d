package recall

import (
	"slices"
	"strings"

	"recollect/internal/memory"
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

// amendingSession returns the session that superseded the decision id of a session, or "" if that
// was none or the session itself.
func (r *Recall) amendingSession(id, session string) string {
	m, err := r.Store.Get(r.Store.SupersededBy(id))
	if err != nil || m.Session == session {
		return ""
	}
	return m.Session
}

// alone is how many words a decision has that does not say what it is about.
const alone = 3

// replacedBy returns what each of the decisions replaced, by its id, for those that say otherwise
// than an older one of another session, or too little without it: "3 boats".
func (r *Recall) replacedBy(decisions []memory.Memory) map[string]string {
	replaced := map[string]string{}
	for i := range decisions {
		m := &decisions[i]
		if len(m.Supersedes) == 0 {
			continue
		}
		if old, ok := r.verdicts.Replaced(*m, r.Store.Get); ok && (old.Session != m.Session || len(strings.Fields(m.Title)) <= alone) {
			replaced[m.ID] = old.Title
		}
	}
	return replaced
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
