package consolidate

// disagreesWith reports whether s, if it is newer, says otherwise than older.
func (s *node) disagreesWith(older *node) bool {
	switch {
	case s.subject == nil || older.subject == nil || s.nearlyEqual(older.wording):
		return false
	case s.says == nil || older.says == nil:
		return s.subject.isSameAs(older.subject)
	}
	if s.subject.isSameAs(older.subject) || s.says.answersAnew(older.says) {
		return true
	}
	return s.givesOtherNumber(older) || s.countContradicted(older) > 0
}
