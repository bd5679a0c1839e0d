package config

import (
	"recollect/internal/memory"
)

// Sources says how the memories of each source take part in recall. Sources inherit the embedded Shared
// unless the user sets theirs; each Source here already includes it.
type Sources struct {
	Shared
	BySource[Source]
}

// Source says how the memories of one source take part in recall.
type Source struct {
	Weight float64 `toml:"weight"` // weight in the bounded and the typed ranker, 0 to 10
	Shared
}

// Shared holds the settings that all sources share unless the user sets them for one alone.
type Shared struct {
	MinRelevance float64  `toml:"min_relevance"` // least relevance that is injected, 0 to 1
	HalfLife     Duration `toml:"half_life"`     // age at which the bounded ranker counts a memory half; 0 for no ageing
	Tokens       int      `toml:"tokens"`        // most tokens of the budget that the source takes, 0 to 2300
	Enabled      bool     `toml:"enabled"`       // whether its memories are injected at all
}

// Defaults of sources.min_relevance and tools.min_relevance.
const (
	MinRelevance  = 0.01
	ToolRelevance = 0.7
)

// defaultSources returns the default settings of the sources.
func defaultSources() Sources {
	all := Shared{MinRelevance: MinRelevance, Tokens: maxSourceTokens, Enabled: true}
	source := func(weight float64, halfLife Duration, tokens int) Source {
		s := Source{weight, all}
		s.HalfLife, s.Tokens = halfLife, tokens
		return s
	}
	return Sources{all, BySource[Source]{
		Patterns:    source(1.0, 120*day, maxSourceTokens),
		Journal:     source(0.9, 180*day, maxSourceTokens),
		Failures:    source(0.8, 120*day, maxSourceTokens),
		Handoffs:    source(0.7, 14*day, 1000),
		Registry:    source(0.6, 0, 500),
		Inbox:       source(0.3, 60*day, 500),
		Goals:       source(0.7, 0, 500),
		Preferences: source(0.9, 0, 500),
		Episodes:    source(0.6, 45*day, 1000),
		Thinking:    source(0.4, 45*day, 1000),
		Team:        source(0.5, 180*day, 1000),
	}}
}

// maxSourceTokens is the default limit of a source: all of budget.tokens.
const maxSourceTokens = 2000

// sources checks the shared settings, then those of each source.
func (v *rules) sources(s Sources) {
	v.shared("sources", s.Shared)
	for _, src := range memory.Sources {
		key, one := "sources."+string(src), s.Of(src)
		v.number(key+".weight", one.Weight, 0, 10)
		v.shared(key, one.Shared)
	}
}

// shared checks the shared settings under a key.
func (v *rules) shared(key string, s Shared) {
	v.number(key+".min_relevance", s.MinRelevance, 0, 1)
	v.age(key+".half_life", s.HalfLife)
	v.whole(key+".tokens", s.Tokens, 0, maxTokens)
}
