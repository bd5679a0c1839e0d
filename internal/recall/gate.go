package recall

import (
	"fmt"

	"recollect/internal/memory"
)

// gate marks the candidates that may not be told, with the reason. The order
// of the checks is the order in which a user would ask.
func gate(found []*candidate, q query, req Request) {
	for _, c := range found {
		m := &c.memory
		s := req.Settings.Sources.Of(m.Source)
		c.required = s.MinRelevance
		if home := m.Home(); !home.Zero() && !home.Same(req.Project) {
			c.required = min(1, c.required+req.Settings.Project.OtherMargin)
		}
		switch {
		case c.superseded != "":
			c.outcome = "superseded by " + c.superseded
		case !s.Enabled:
			c.outcome = fmt.Sprintf("source %s is off", m.Source)
		case m.Source == memory.Goals && !q.goals:
			c.outcome = "the prompt does not speak of goals"
		case !req.Filter.admits(m):
			c.outcome = "filtered out"
		case c.relevance < c.required:
			c.outcome = fmt.Sprintf("relevance below %.2f", c.required)
		case req.Session.knows(m):
			c.outcome = "is of this session"
		case told(req.Session.Told, m.ID, m.ContentKey()):
			c.outcome = "told in this session already"
		}
	}
}

// told reports whether the session was told these words, under this id or
// another.
func told(keys map[string]string, id, key string) bool {
	if keys[id] == key {
		return true
	}
	for _, k := range keys {
		if k == key {
			return true
		}
	}
	return false
}
