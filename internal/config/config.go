// Package config holds the settings: their defaults, the user's files that override them, and the rules
// that both must obey.
//
// The doc comments of the structs document the settings. config.toml at the top of the repository says
// the same to users, and a test compares the two.
//
// A user's file and the environment variables are two layers of changes to the defaults. Each change
// names a setting of the catalog, which knows every present and former name of a setting. Resolving the
// layers lets sources inherit what is set for all of them; a Config holds only the result.
package config

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"recollect/internal/memory"
)

// Config holds all settings.
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
	Reader      Reader      `toml:"reader"`
	Import      Import      `toml:"import"`
	Sync        Sync        `toml:"sync"`
	Team        Team        `toml:"team"`
	Hooks       Hooks       `toml:"hooks"`
	Daemon      Daemon      `toml:"daemon"`
}

// Recall says how memories are found.
type Recall struct {
	SynonymWeight float64 `toml:"synonym_weight"` // what the closest shipped synonyms count against the word itself, 0 to 1
	MinWorth      float64 `toml:"min_worth"`      // probability that a prompt needs something of earlier sessions from which on several statements are injected, 0 to 1
	OddsRatio     float64 `toml:"odds_ratio"`     // odds of the best memory of another session by those of one that is held back, 0 or more; 0 holds nothing back
	Learn         bool    `toml:"learn"`          // whether it counts what was made use of before, and what the owner said of it
}

// Budget limits what is injected for one prompt.
type Budget struct {
	Tokens int     `toml:"tokens"` // tokens of four characters each, 0 to 2300
	Items  int     `toml:"items"`  // memories, 0 to 50
	Share  float64 `toml:"share"`  // share of the rest of Claude's context window, 0 to 1
	Max    int     `toml:"max"`    // largest size of that share in tokens, 0 or more
	Window int     `toml:"window"` // size of the context window in tokens; 0 takes it from the model's name
}

// Tools say what is injected before a tool call.
type Tools struct {
	MinRelevance float64 `toml:"min_relevance"` // how surely a memory must concern the command or file, 0 to 1
	Tokens       int     `toml:"tokens"`        // 0 to 2300
	Items        int     `toml:"items"`         // memories, 0 to 50
}

// Orientation says what is injected at the start of a session.
type Orientation struct {
	Tokens int  `toml:"tokens"` // 0 to 2300
	Notice bool `toml:"notice"` // whether lines tell the user what was injected, and once a week what was used
}

// Import says what happens to the sessions from before the first one with recollect.
type Import struct {
	Auto bool `toml:"auto"` // whether they are imported in the background; otherwise the user is asked to do so
}

// Sync says where memories are synchronized in the background, at the start and at the end of a session.
type Sync struct {
	Target  string   `toml:"target"`  // folder or git repository that the user's other machines reach too; "" for none
	Sources []string `toml:"sources"` // sources to synchronize; empty for all
}

// Travel returns the sources whose memories are synchronized: those named, or all. It leaves out what a
// team shared, because that comes with each machine's own checkout.
func (s Sync) Travel() []memory.Source {
	var out []memory.Source
	for _, src := range memory.Sources {
		if src != memory.Team && (len(s.Sources) == 0 || slices.Contains(s.Sources, string(src))) {
			out = append(out, src)
		}
	}
	return out
}

// Team says which server carries the memories that a team shares, for projects that have joined.
type Team struct {
	URL         string `toml:"url"`         // URLs of NATS servers with JetStream, separated by commas; "" for none
	Credentials string `toml:"credentials"` // file from nsc, with the seed of an nkey, or with name:password; "" for none
	CA          string `toml:"ca"`          // file with the certificates that sign the server's; "" for those of the system
}

// Project says which folders form a project, and how other projects count.
type Project struct {
	WorkspaceRoot string  `toml:"workspace_root"` // folder whose sub-folders are projects if there is no git
	OtherOdds     float64 `toml:"other_odds"`     // odds that a memory of another project matters, against one of the own project, 0 to 1
	OtherMargin   float64 `toml:"other_margin"`   // additional relevance that another project's memory needs, 0 to 1
}

// Daemon are the settings of the daemon itself.
type Daemon struct {
	IdleExit    Duration `toml:"idle_exit"`    // time without requests after which the daemon ends, 1s or more
	MemoryLimit int      `toml:"memory_limit"` // memory in MiB below which the garbage collector tries to keep the process, 64 or more
}

// Default returns the settings without any user's changes.
func Default() Config {
	return Config{
		Recall:      Recall{SynonymWeight: 0.4, MinWorth: 0.6, OddsRatio: 0, Learn: true},
		Embedder:    Embedder{Kind: EmbedderBuiltin, Timeout: Duration(150 * time.Millisecond)},
		Rank:        defaultRank(),
		Budget:      Budget{Tokens: 2000, Items: 8, Share: 0.2, Max: 40000},
		Tools:       Tools{MinRelevance: ToolRelevance, Tokens: 400, Items: 2},
		Orientation: Orientation{Tokens: 450, Notice: true},
		Project:     Project{OtherOdds: 0.15, OtherMargin: 0.1},
		Sources:     defaultSources(),
		Capture: Capture{
			Ignore: ignored(), Review: ReviewOff,
			Extractor: ExtractorRules, LanguageModel: LanguageModel{Timeout: Duration(2 * time.Minute)}, MaxTokens: 12_000, Parallel: 1,
			Keep: defaultKeep(),
		},
		Reader: Reader{Kind: ReaderOff, LanguageModel: LanguageModel{Timeout: Duration(20 * time.Second)}, Prompts: true, Candidates: true},
		Import: Import{Auto: true},
		Sync:   Sync{Sources: []string{}},
		Hooks:  Hooks{Off: []string{}, AllowMemoryTools: true},
		Daemon: Daemon{IdleExit: Duration(30 * time.Minute), MemoryLimit: 1024},
	}
}

// violations returns the broken rules in the order of the settings. It reports a mistake that sources
// have inherited once, where it was made.
func (c *Config) violations() []violation {
	var v rules
	v.number("recall.synonym_weight", c.Recall.SynonymWeight, 0, 1)
	v.number("recall.min_worth", c.Recall.MinWorth, 0, 1)
	v.number("recall.odds_ratio", c.Recall.OddsRatio, 0, math.Inf(1))
	v.embedder(c.Embedder)
	v.kind(c.Rank)
	v.number("rank.threshold", c.Rank.Threshold, 0, math.Inf(1))
	v.whole("budget.tokens", c.Budget.Tokens, 0, maxTokens)
	v.whole("budget.items", c.Budget.Items, 0, 50)
	v.number("budget.share", c.Budget.Share, 0, 1)
	v.number("hooks.withhold", c.Hooks.Withhold, 0, 1)
	v.whole("budget.max", c.Budget.Max, 0, math.MaxInt32)
	v.whole("budget.window", c.Budget.Window, 0, math.MaxInt32)
	v.number("tools.min_relevance", c.Tools.MinRelevance, 0, 1)
	v.whole("tools.tokens", c.Tools.Tokens, 0, maxTokens)
	v.whole("tools.items", c.Tools.Items, 0, 50)
	v.whole("orientation.tokens", c.Orientation.Tokens, 0, maxTokens)
	if root := c.Project.WorkspaceRoot; root != "" && !filepath.IsAbs(root) {
		v.add("project.workspace_root", fmt.Sprintf("%q", root), "must be an absolute path")
	}
	v.number("project.other_odds", c.Project.OtherOdds, 0, 1)
	v.number("project.other_margin", c.Project.OtherMargin, 0, 1)
	v.sources(c.Sources)
	v.capture(c.Capture)
	v.reader(c.Reader)
	if t := c.Sync.Target; t != "" && !isTarget(t) {
		v.add("sync.target", fmt.Sprintf("%q", t), "must be an absolute path, or begin with ssh://, git+ssh://, git+https:// or git+file://")
	}
	for _, name := range c.Sync.Sources {
		if !memory.Source(name).Valid() {
			v.add("sync.sources", fmt.Sprintf("%q", name), "must be one of "+memory.SourceNames())
		}
	}
	v.team(c.Team)
	v.hooks(c.Hooks)
	if d := time.Duration(c.Daemon.IdleExit); d < time.Second {
		v.add("daemon.idle_exit", d, "must be 1s or more")
	}
	v.whole("daemon.memory_limit", c.Daemon.MemoryLimit, 64, math.MaxInt32)
	made := slices.Clone(v)
	return slices.DeleteFunc(v, func(found violation) bool {
		return slices.Contains(made, violation{above(found.key), found.rule})
	})
}

// isTarget reports whether t has the form of a target with which memories can be synchronized.
func isTarget(t string) bool {
	return filepath.IsAbs(t) || strings.HasPrefix(t, "git+") || strings.HasPrefix(t, "ssh://")
}
