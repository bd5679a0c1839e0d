package consolidate

// An announcement is what sayings of a session tell about an earlier one's.
type announcement struct {
	changes bool // something that was agreed on
	rest    bool // what is not mentioned stays
}

// announce notes what a text of these words tells about an earlier session.
func (s *saying) announce(text string, words []string) {
	rules := amendmentRules()
	if hasAny(words, hints.announcing) {
		s.session.changes = rules.Announcing.MatchString(text)
	}
	if hasAny(words, hints.unchanged) {
		s.session.rest = rules.RestStands.MatchString(text)
		s.stays = s.session.rest || rules.Unchanged.MatchString(text)
	}
}

// announcements lists what the sessions announce that change something.
func announcements(sessions map[string][]*statement) map[string]announcement {
	out := map[string]announcement{}
	for id, session := range sessions {
		var all announcement
		for _, s := range session {
			if trust(s.Memory) > 0 {
				all.changes, all.rest = all.changes || s.saying.session.changes, all.rest || s.saying.session.rest
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
func amendmentsBy(a, b *statement, announced map[string]announcement, found map[amendment]bool) {
	if a.saying == nil || b.saying == nil || a.Session == b.Session {
		return
	}
	for _, pair := range [][2]*statement{{a, b}, {b, a}} {
		newer, older := pair[0], pair[1]
		of := amendment{newer.Session, older.Session}
		if _, ok := announced[newer.Session]; ok && older.Session != "" && !found[of] && trust(newer.Memory) > 0 && newer.otherwise(older) {
			found[of] = true
		}
	}
}

// amendSessions notes which decisions of earlier sessions are outdated because
// a later one, which announces a change and contradicts one of them, says
// something on their subject. Where it says that the rest stands, there are none.
func amendSessions(sessions map[string][]*statement, announced map[string]announcement, found map[amendment]bool) {
	for of := range found {
		for _, newer := range sessions[of.newer] {
			for _, older := range sessions[of.older] {
				if !newer.coversAnew(older) {
					continue
				}
				newer.link(older)
				if !announced[of.newer].rest {
					newer.outdate(older, false)
				}
			}
		}
	}
}

// coversAnew reports whether s, of a session that amends that of older, is on
// the subject of older and does not say that it stays: it has at least two
// words of older that are not units, and of what is no recap two thirds, or
// half if both begin with the same word.
func (s *statement) coversAnew(older *statement) bool {
	if s.saying.stays || trust(s.Memory) == 0 || older.isRecap() && !s.isRecap() {
		return false
	}
	common, of := named(shared(s.saying.all, older.saying.said)), len(older.saying.said)
	return common >= 2 && (older.isRecap() || 3*common >= 2*of || 2*common >= of && s.saying.firstWord() == older.saying.firstWord())
}

// firstWord returns the first word that says something, "" if there is none.
func (s *saying) firstWord() string {
	for i := range s.clauses {
		for _, t := range s.clauses[i].tokens {
			if !t.joins && t.word != "" {
				return t.word
			}
		}
	}
	return ""
}
