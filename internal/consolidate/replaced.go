package consolidate

import (
	"slices"

	"recollect/internal/memory"
)

// Replaced returns what a decision or a wish took the place of: of the memories
// that it supersedes, the one that was stated last and of which it says
// otherwise. What it only says again, or sums up, may still hold and does not
// count. read reads a memory by its id; one that cannot be read is left out.
func Replaced(m memory.Memory, read func(id string) (memory.Memory, error)) (old memory.Memory, ok bool) {
	s := newStatement(m)
	for _, id := range m.Supersedes {
		other, err := read(id)
		if err != nil {
			continue
		}
		o := newStatement(other)
		if s.otherwise(o) && (!ok || byTime(newStatement(old), o) < 0) {
			old, ok = other, true
		}
	}
	return old, ok
}

// Contradicts reports whether newer says otherwise than a part of older, which
// it need not supersede: a recap stands as long as most of it does.
func Contradicts(newer, older memory.Memory) bool {
	return newStatement(newer).otherwise(newStatement(older))
}

// otherwise reports whether s, if it is newer, says otherwise than older.
func (s *statement) otherwise(older *statement) bool {
	switch {
	case s.subject == nil || older.subject == nil || s.nearlyEqual(older.wording):
		return false
	case s.saying == nil || older.saying == nil:
		return s.subject.same(older.subject)
	}
	return s.subject.same(older.subject) || s.saying.answersAnew(older.saying) || s.anotherNumber(older) || s.contradicted(older) > 0
}

// SpeaksOfChange reports whether some memories of a session, what it decided and what it is about,
// say that something changes, or that something else stays as it was.
func SpeaksOfChange(ms []memory.Memory) bool {
	return slices.ContainsFunc(ms, func(m memory.Memory) bool {
		s := sayingOf(m)
		return s.changes || s.session.changes || s.stays || s.whole
	})
}
