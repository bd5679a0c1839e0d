package recall

import (
	"recollect/internal/memory"
	"recollect/internal/recall/relevance"
	"recollect/internal/recall/sessions"
)

// isPartOfBrief reports whether m is part of what its session came to.
func isPartOfBrief(m *memory.Memory) bool {
	switch m.Source {
	case memory.Episodes, memory.Journal, memory.Handoffs, memory.Thinking:
		return m.Session != "" && m.Turn != "" && m.Agent == ""
	}
	return false
}

// A scorer tells of texts, too, what they have of the query.
type scorer struct{ relevance.Scorer }

// shareOf returns the share, in [0, 1], of the worth of the query's clauses that
// a text has.
func (s *scorer) shareOf(t *sessions.Text) float64 { return s.WorthOf(s.ClausesIn(t.Has)) }

// boolOrder orders false before true.
func boolOrder(x, y bool) int {
	switch {
	case x == y:
		return 0
	case x:
		return 1
	}
	return -1
}
