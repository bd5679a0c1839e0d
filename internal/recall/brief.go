package recall

import (
	"recollect/internal/memory"
	"recollect/internal/recall/relevance"
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
