package lists

import (
	"recollect/internal/api"
	"recollect/internal/capture/extract"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// How many results are listed.
const (
	defaultResults = 10
	MaxResults     = 1000
)

// Bound returns how many results to list where limit are wanted.
func Bound(limit int) int {
	if limit < 1 {
		return defaultResults
	}
	return min(limit, MaxResults)
}

// Show adds to a memory what is known of it besides.
func Show(s *store.Store, m memory.Memory) api.Shown {
	return api.Shown{Memory: m, SupersededBy: s.SupersededBy(m.ID), Rule: extract.RuleOf(m)}
}

// TitleOf returns the title of a memory under a name.
func TitleOf(m *memory.Memory, name string) api.Title {
	return api.Title{ID: name, Source: m.Source, Project: m.Project, Title: m.Title, At: m.When()}
}
