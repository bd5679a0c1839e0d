package config

import (
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"time"
)

// maxTokens keeps every injection under the 10,000 UTF-16 units beyond which
// Claude Code replaces it by a file name: 2,300 tokens of four characters and
// the frame around them.
const maxTokens = 2300

// A violation is a setting that breaks a rule.
type violation struct {
	key  string // dotted
	rule string // "= 2: must be between 0 and 1"
}

// violations returns every rule that c breaks, in the order of the settings. A
// mistake that sources have inherited is named once, where it was made.
func (c *Config) violations() []violation {
	var v rules
	v.whole("recall.candidates", c.Recall.Candidates, 1, 1000)
	v.whole("recall.terms", c.Recall.Terms, 1, 60)
	v.number("recall.synonym_weight", c.Recall.SynonymWeight, 0, 1)
	v.whole("recall.semantic_slots", c.Recall.SemanticSlots, 0, 10)
	v.number("recall.topic_gate", c.Recall.TopicGate, 0, 1)
	v.number("recall.duplicates", c.Recall.Duplicates, 0, 1)
	v.embedder(c.Embedder)
	v.kind(c.Rank)
	v.number("rank.threshold", c.Rank.Threshold, 0, math.Inf(1))
	v.whole("budget.tokens", c.Budget.Tokens, 0, maxTokens)
	v.whole("budget.items", c.Budget.Items, 0, 50)
	v.number("budget.share", c.Budget.Share, 0, 1)
	v.whole("budget.max", c.Budget.Max, 0, math.MaxInt32)
	v.whole("budget.window", c.Budget.Window, 0, math.MaxInt32)
	v.number("tools.min_relevance", c.Tools.MinRelevance, 0, 1)
	v.whole("tools.tokens", c.Tools.Tokens, 0, maxTokens)
	v.whole("tools.items", c.Tools.Items, 0, 50)
	v.whole("orientation.tokens", c.Orientation.Tokens, 0, maxTokens)
	if root := c.Project.WorkspaceRoot; root != "" && !filepath.IsAbs(root) {
		v.add("project.workspace_root", fmt.Sprintf("%q", root), "must be an absolute path")
	}
	v.number("project.other_margin", c.Project.OtherMargin, 0, 1)
	v.sources(c.Sources)
	v.capture(c.Capture)
	v.hooks(c.Hooks)
	if d := time.Duration(c.Daemon.IdleExit); d < time.Second {
		v.add("daemon.idle_exit", d, "must be 1s or more")
	}
	made := slices.Clone(v)
	return slices.DeleteFunc(v, func(found violation) bool {
		return slices.Contains(made, violation{above(found.key), found.rule})
	})
}

type rules []violation

func (v *rules) add(key string, value any, rule string) {
	*v = append(*v, violation{key, fmt.Sprintf("= %v: %s", value, rule)})
}

func (v *rules) whole(key string, n, low, high int) {
	if n < low || n > high {
		v.add(key, n, fmt.Sprintf("must be between %d and %d", low, high))
	}
}

func (v *rules) number(key string, f, low, high float64) {
	switch {
	case !math.IsInf(high, 1) && !(f >= low && f <= high):
		v.add(key, f, fmt.Sprintf("must be between %v and %v", low, high))
	case !(f >= low) || math.IsInf(f, 1):
		v.add(key, f, fmt.Sprintf("must be %v or more", low))
	}
}

func (v *rules) age(key string, d Duration) {
	if d < 0 {
		v.add(key, time.Duration(d), "must be 0s or more")
	}
}
