// Package config holds the settings: their defaults, the user's files laid
// over them, and the rules that both must keep.
//
// The doc comments of the structs are the documentation of the settings;
// config.toml at the top of the repository says the same to users, and a
// test holds the two together.
package config

import (
	"time"

	"recollect/internal/memory"
	"recollect/rankers"
)

// Config is every setting.
type Config struct {
	Recall      Recall      `toml:"recall"`
	Embedder    Embedder    `toml:"embedder"`
	Rank        Rank        `toml:"rank"`
	Budget      Budget      `toml:"budget"`
	Tools       Tools       `toml:"tools"`
	Orientation Orientation `toml:"orientation"`
	Project     Project     `toml:"project"`
	Sources     Sources     `toml:"sources"`
	Capture     Capture     `toml:"capture"`
	Hooks       Hooks       `toml:"hooks"`
	Daemon      Daemon      `toml:"daemon"`
}

// Recall says how memories are looked for.
type Recall struct {
	Candidates    int     `toml:"candidates"`     // memories that retrieval hands on, 1 to 1000
	Terms         int     `toml:"terms"`          // words of a prompt that are looked for, 1 to 60
	SynonymWeight float64 `toml:"synonym_weight"` // what a synonym counts against the word itself, 0 to 1
	SemanticSlots int     `toml:"semantic_slots"` // places kept for what fits by meaning alone, 0 to 10
	TopicGate     float64 `toml:"topic_gate"`     // cosine to the prompt before above which only new memories are told, 0 to 1
	Duplicates    float64 `toml:"duplicates"`     // cosine above which two memories say the same, 0 to 1
}

// Rank says how candidates are put in order.
type Rank struct {
	Kind        string   `toml:"kind"`         // bounded, typed, linear or balanced
	Threshold   float64  `toml:"threshold"`    // lowest score that is told, 0 or more
	PriorShare  float64  `toml:"prior_share"`  // most that anything but relevance takes from a bounded score, 0 to 1
	LatestShare float64  `toml:"latest_share"` // how far time decides where a prompt asks for the latest, 0 to 1
	Bounded     Bounded  `toml:"bounded"`
	Typed       Typed    `toml:"typed"`
	Linear      Linear   `toml:"linear"`
	Balanced    Balanced `toml:"balanced"`
}

// Bounded says how much each part of rankers.Bounded counts against the
// others, 0 to 1.
type Bounded struct {
	Weight     float64 `toml:"weight"`
	Recency    float64 `toml:"recency"`
	Frequency  float64 `toml:"frequency"`
	Importance float64 `toml:"importance"`
	Project    float64 `toml:"project"`
}

// Typed are the settings of rankers.Typed.
type Typed struct {
	HalfAge Duration `toml:"half_age"`
}

// Linear are the settings of rankers.Linear.
type Linear struct {
	Relevance float64  `toml:"relevance"`
	Recency   float64  `toml:"recency"`
	Frequency float64  `toml:"frequency"`
	HalfAge   Duration `toml:"half_age"`
}

// Balanced are the settings of rankers.Balanced.
type Balanced struct {
	Recency   float64  `toml:"recency"`
	Relevance float64  `toml:"relevance"`
	Frequency float64  `toml:"frequency"`
	Cost      float64  `toml:"cost"`
	MaxAge    Duration `toml:"max_age"`
}

// ranker is what every kind of ranker is to this package.
type ranker interface {
	rankers.Ranker
	Validate() error
}

// kinds makes the ranker of each kind from its settings.
var kinds = map[string]func(Rank) ranker{
	"bounded": func(r Rank) ranker {
		b := r.Bounded
		return rankers.Bounded{
			Share: r.PriorShare, Latest: r.LatestShare,
			Weight: b.Weight, Recency: b.Recency, Frequency: b.Frequency, Importance: b.Importance, Project: b.Project,
		}
	},
	"typed": func(r Rank) ranker {
		return rankers.Typed{HalfAge: time.Duration(r.Typed.HalfAge)}
	},
	"linear": func(r Rank) ranker {
		l := r.Linear
		return rankers.Linear{Relevance: l.Relevance, Recency: l.Recency, Frequency: l.Frequency, HalfAge: time.Duration(l.HalfAge)}
	},
	"balanced": func(r Rank) ranker {
		b := r.Balanced
		return rankers.Balanced{Recency: b.Recency, Relevance: b.Relevance, Frequency: b.Frequency, Cost: b.Cost, MaxAge: time.Duration(b.MaxAge)}
	},
}

// Ranker returns the ranker that Kind names. Settings that were loaded by
// this package always name one.
func (r Rank) Ranker() rankers.Ranker { return kinds[r.Kind](r) }

// Budget says how much one recall may tell.
type Budget struct {
	Tokens int     `toml:"tokens"` // of four characters each, 0 to 2300
	Items  int     `toml:"items"`  // memories, 0 to 50
	Share  float64 `toml:"share"`  // of what is left of Claude's context window, 0 to 1
	Max    int     `toml:"max"`    // what that share may come to, in tokens, 0 or more
	Window int     `toml:"window"` // size of the context window in tokens; 0 takes it from the model's name
}

// Tools say what a tool call is told before it runs.
type Tools struct {
	MinRelevance float64 `toml:"min_relevance"` // how surely a memory must bear on the call, 0 to 1
	Tokens       int     `toml:"tokens"`        // 0 to 2300
	Items        int     `toml:"items"`         // memories, 0 to 50
}

// Orientation says how much a session is told at its start.
type Orientation struct {
	Tokens int  `toml:"tokens"` // 0 to 2300
	Notice bool `toml:"notice"` // whether the user reads on one line what it was
}

// Project says what belongs together.
type Project struct {
	WorkspaceRoot string  `toml:"workspace_root"` // folder whose sub-folders are projects where there is no git
	OtherMargin   float64 `toml:"other_margin"`   // relevance that another project's memory needs on top, 0 to 1
}

// Sources are the settings of each source.
type Sources struct {
	Patterns    Source `toml:"patterns"`
	Journal     Source `toml:"journal"`
	Failures    Source `toml:"failures"`
	Handoffs    Source `toml:"handoffs"`
	Registry    Source `toml:"registry"`
	Inbox       Source `toml:"inbox"`
	Goals       Source `toml:"goals"`
	Preferences Source `toml:"preferences"`
	Episodes    Source `toml:"episodes"`
	Thinking    Source `toml:"thinking"`
}

// Source says how the memories of one source take part in recall.
type Source struct {
	Enabled      bool     `toml:"enabled"`
	Weight       float64  `toml:"weight"`        // in the bounded and the typed ranker, 0 to 10
	HalfLife     Duration `toml:"half_life"`     // age at which the bounded ranker counts it half, 0 where it never ages
	MinRelevance float64  `toml:"min_relevance"` // least relevance that is told, 0 to 1
	Tokens       int      `toml:"tokens"`        // share of the budget, 0 to 2300
}

// Of returns the settings of src.
func (s *Sources) Of(src memory.Source) Source {
	switch src {
	case memory.Patterns:
		return s.Patterns
	case memory.Journal:
		return s.Journal
	case memory.Failures:
		return s.Failures
	case memory.Handoffs:
		return s.Handoffs
	case memory.Registry:
		return s.Registry
	case memory.Inbox:
		return s.Inbox
	case memory.Goals:
		return s.Goals
	case memory.Preferences:
		return s.Preferences
	case memory.Episodes:
		return s.Episodes
	case memory.Thinking:
		return s.Thinking
	}
	return Source{}
}

// Hooks say which events recollect takes part in.
type Hooks struct {
	SessionStart     Hook `toml:"SessionStart"`
	UserPromptSubmit Hook `toml:"UserPromptSubmit"`
	Stop             Hook `toml:"Stop"`
	SubagentStop     Hook `toml:"SubagentStop"`
	PreCompact       Hook `toml:"PreCompact"`
	SessionEnd       Hook `toml:"SessionEnd"`

	PreToolUse    ToolHook `toml:"PreToolUse"`
	SubagentStart Hook     `toml:"SubagentStart"`

	PostToolUse        Hook `toml:"PostToolUse"`
	PostToolUseFailure Hook `toml:"PostToolUseFailure"`
}

// Of returns the settings of an event, those of none for an unknown one.
func (h Hooks) Of(event string) Hook {
	switch event {
	case "SessionStart":
		return h.SessionStart
	case "UserPromptSubmit":
		return h.UserPromptSubmit
	case "Stop":
		return h.Stop
	case "SubagentStop":
		return h.SubagentStop
	case "PreCompact":
		return h.PreCompact
	case "SessionEnd":
		return h.SessionEnd
	case "PreToolUse":
		return Hook{Enabled: h.PreToolUse.Enabled}
	case "SubagentStart":
		return h.SubagentStart
	case "PostToolUse":
		return h.PostToolUse
	case "PostToolUseFailure":
		return h.PostToolUseFailure
	}
	return Hook{}
}

// Hook are the settings of one event.
type Hook struct {
	Enabled bool `toml:"enabled"`
}

// ToolHook are the settings of PreToolUse.
type ToolHook struct {
	Enabled          bool `toml:"enabled"`
	AllowMemoryTools bool `toml:"allow_memory_tools"` // let Claude look memories up without asking the user
}

// Daemon are the settings of the daemon itself.
type Daemon struct {
	IdleExit Duration `toml:"idle_exit"` // time without requests after which it ends, 1s or more
}

// Default returns the settings that are in force where the user says nothing.
func Default() Config {
	on := Hook{Enabled: true}
	src := func(weight float64, halfLife Duration, minRelevance float64, tokens int) Source {
		return Source{Enabled: true, Weight: weight, HalfLife: halfLife, MinRelevance: minRelevance, Tokens: tokens}
	}
	return Config{
		Recall:   Recall{Candidates: 50, Terms: 32, SynonymWeight: 0.4, SemanticSlots: 1, TopicGate: 0.85, Duplicates: 0.95},
		Embedder: Embedder{Kind: EmbedderBuiltin, Timeout: Duration(150 * time.Millisecond)},
		Rank: Rank{
			Kind:        "bounded",
			PriorShare:  0.1,
			LatestShare: 0.7,
			Bounded:     Bounded{Weight: 0.5, Recency: 0.5, Frequency: 0.25, Importance: 0.5, Project: 1},
			Typed:       Typed{HalfAge: 30 * day},
			Linear:      Linear{Relevance: 0.5, Recency: 0.3, Frequency: 0.2, HalfAge: 30 * day},
			Balanced:    Balanced{Recency: 0.4, Relevance: 0.3, Frequency: 0.2, Cost: 0.1, MaxAge: 90 * day},
		},
		Budget:      Budget{Tokens: 2000, Items: 6, Share: 0.2, Max: 40000},
		Tools:       Tools{MinRelevance: 0.7, Tokens: 400, Items: 2},
		Orientation: Orientation{Tokens: 600},
		Project:     Project{OtherMargin: 0.1},
		Sources: Sources{
			Patterns:    src(1.0, 120*day, 0.45, 2000),
			Journal:     src(0.9, 180*day, 0.45, 2000),
			Failures:    src(0.8, 120*day, 0.45, 2000),
			Handoffs:    src(0.7, 14*day, 0.45, 1000),
			Registry:    src(0.6, 0, 0.45, 500),
			Inbox:       src(0.3, 60*day, 0.45, 500),
			Goals:       src(0.7, 0, 0.45, 500),
			Preferences: src(0.9, 0, 0.45, 500),
			Episodes:    src(0.6, 45*day, 0.45, 1000),
			Thinking:    src(0.4, 45*day, 0.45, 1000),
		},
		Capture: Capture{
			Ignore:    ignored(),
			Extractor: ExtractorRules, Timeout: Duration(2 * time.Minute), MaxTokens: 12_000, Parallel: 1,
			Keep: Keep{Thinking: Kept{Age: 180 * day}},
		},
		Hooks: Hooks{
			SessionStart: on, UserPromptSubmit: on, Stop: on, SubagentStop: on, PreCompact: on, SessionEnd: on,
			PostToolUse: on, PostToolUseFailure: on, SubagentStart: on,
			PreToolUse: ToolHook{Enabled: true, AllowMemoryTools: true},
		},
		Daemon: Daemon{IdleExit: Duration(30 * time.Minute)},
	}
}
