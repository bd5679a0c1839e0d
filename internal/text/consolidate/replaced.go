package consolidate

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
