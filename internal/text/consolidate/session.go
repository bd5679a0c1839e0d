package consolidate

// An announcement is what the statements of a session say about an earlier one's.
type announcement struct {
	changes bool // something that was agreed on
	rest    bool // what is not mentioned stays
}

// readAnnouncement records what a text of these words says about an earlier session.
func (s *statement) readAnnouncement(text string, words []string) {
	rules := amendmentRules()
	if hasAny(words, hints.announcing) {
		s.aboutSession.changes = rules.Announcing.MatchString(text)
	}
	if hasAny(words, hints.unchanged) {
		s.aboutSession.rest = rules.RestStands.MatchString(text)
		s.stays = s.aboutSession.rest || rules.Unchanged.MatchString(text)
	}
}

// announcements lists what the sessions announce that change something.
func announcements(sessions map[string][]*node) map[string]announcement {
	out := map[string]announcement{}
	for id, session := range sessions {
		var all announcement
		for _, s := range session {
			if trustOf(s.Memory) > 0 {
				all.changes, all.rest = all.changes || s.says.aboutSession.changes, all.rest || s.says.aboutSession.rest
			}
		}
		if all.changes {
			out[id] = all
		}
	}
	return out
}

// An amendment is a session that announces a change, and one whose decisions it
// changes because it contradicts one of them.
type amendment struct {
	newer, older string
}

// amendmentsBy adds to found the amendments that a and b, of two sessions, are
// part of, whichever is newer.
func amendmentsBy(a, b *node, announced map[string]announcement, found map[amendment]bool) {
	if a.says == nil || b.says == nil || a.Session == b.Session {
		return
	}
	for _, pair := range [][2]*node{{a, b}, {b, a}} {
		newer, older := pair[0], pair[1]
		of := amendment{newer.Session, older.Session}
		if _, ok := announced[newer.Session]; !ok || older.Session == "" || found[of] {
			continue
		}
		if trustOf(newer.Memory) > 0 && newer.disagreesWith(older) {
			found[of] = true
		}
	}
}

// amendSessions notes which decisions of earlier sessions are outdated because
// a later one, which announces a change and contradicts one of them, says
// something on their subject. Where it says that the rest stands, there are none.
func amendSessions(sessions map[string][]*node, announced map[string]announcement, found map[amendment]bool) {
	for of := range found {
		for _, newer := range sessions[of.newer] {
			for _, older := range sessions[of.older] {
				if !newer.coversSubject(older) {
					continue
				}
				newer.linkTo(older)
				if !announced[of.newer].rest {
					newer.takePlaceOf(older, false)
				}
			}
		}
	}
}

// coversSubject reports whether s, of a session that amends that of older, is on
// the subject of older and does not say that it stays: it has at least two
// words of older that are not units, and of what is no recap two thirds, or
// half if both begin with the same word.
func (s *node) coversSubject(older *node) bool {
	if s.says.stays || trustOf(s.Memory) == 0 {
		return false
	}
	if older.isRecap() && !s.isRecap() {
		return false
	}
	common, of := countNames(intersect(s.says.all, older.says.words)), len(older.says.words)
	switch {
	case common < 2:
		return false
	case older.isRecap(), 3*common >= 2*of:
		return true
	}
	return 2*common >= of && s.says.firstWord() == older.says.firstWord()
}

// firstWord returns the first word that says something, "" if there is none.
func (s *statement) firstWord() string {
	for i := range s.clauses {
		for _, t := range s.clauses[i].tokens {
			if !t.joins && t.word != "" {
				return t.word
			}
		}
	}
	return ""
}
