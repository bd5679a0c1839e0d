package config

import (
	"recollect/internal/memory"
)

// BySource has a value for each source of memories.
type BySource[T any] struct {
	Patterns    T `toml:"patterns"`
	Journal     T `toml:"journal"`
	Failures    T `toml:"failures"`
	Handoffs    T `toml:"handoffs"`
	Registry    T `toml:"registry"`
	Inbox       T `toml:"inbox"`
	Goals       T `toml:"goals"`
	Preferences T `toml:"preferences"`
	Episodes    T `toml:"episodes"`
	Thinking    T `toml:"thinking"`
	Team        T `toml:"team"`
}

// Of returns the value for src, the zero value for an unknown source.
func (b *BySource[T]) Of(src memory.Source) T {
	switch src {
	case memory.Patterns:
		return b.Patterns
	case memory.Journal:
		return b.Journal
	case memory.Failures:
		return b.Failures
	case memory.Handoffs:
		return b.Handoffs
	case memory.Registry:
		return b.Registry
	case memory.Inbox:
		return b.Inbox
	case memory.Goals:
		return b.Goals
	case memory.Preferences:
		return b.Preferences
	case memory.Episodes:
		return b.Episodes
	case memory.Thinking:
		return b.Thinking
	case memory.Team:
		return b.Team
	}
	var none T
	return none
}
