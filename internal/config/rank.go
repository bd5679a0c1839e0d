package config

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"recollect/rankers"
)

// Rank says how candidates are ordered.
type Rank struct {
	Kind       string   `toml:"kind"`        // bounded, typed, linear or balanced
	Threshold  float64  `toml:"threshold"`   // lowest score that is injected, 0 or more
	PriorShare float64  `toml:"prior_share"` // most that everything but relevance takes off a bounded score, 0 to 1
	Bounded    Bounded  `toml:"bounded"`
	Typed      Typed    `toml:"typed"`
	Linear     Linear   `toml:"linear"`
	Balanced   Balanced `toml:"balanced"`
}

// Bounded sets the weight of each part of rankers.Bounded against the others, 0 to 1.
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

// A ranker is a rankers.Ranker that checks its settings.
type ranker interface {
	rankers.Ranker
	Validate() error
}

// latestShare is the share of time in the score if a prompt asks for the latest. What was done yesterday
// comes before what was done last week, unless that is far more relevant.
const latestShare = 0.7

// kinds makes the ranker of each kind from its settings.
var kinds = map[string]func(Rank) ranker{
	"bounded": func(r Rank) ranker {
		b := r.Bounded
		return rankers.Bounded{
			Share: r.PriorShare, Latest: latestShare,
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

// Ranker returns the ranker that Kind names. Settings that this package loaded always name one.
func (r Rank) Ranker() rankers.Ranker { return kinds[r.Kind](r) }

// defaultRank returns the default settings of the rankers.
func defaultRank() Rank {
	return Rank{
		Kind:       "bounded",
		PriorShare: 0.1,
		Bounded:    Bounded{Weight: 0.5, Recency: 0.5, Frequency: 0.25, Importance: 0.5, Project: 1},
		Typed:      Typed{HalfAge: 30 * day},
		Linear:     Linear{Relevance: 0.5, Recency: 0.3, Frequency: 0.2, HalfAge: 30 * day},
		Balanced:   Balanced{Recency: 0.4, Relevance: 0.3, Frequency: 0.2, Cost: 0.1, MaxAge: 90 * day},
	}
}

// kind has every ranker check its settings.
func (v *rules) kind(r Rank) {
	if _, ok := kinds[r.Kind]; !ok {
		v.add("rank.kind", fmt.Sprintf("%q", r.Kind), "must be one of "+strings.Join(kindNames(), ", "))
		return
	}
	for _, name := range kindNames() {
		for _, err := range split(kinds[name](r).Validate()) {
			key, rule, _ := strings.Cut(err.Error(), " ")
			*v = append(*v, violation{rankKey(name, key), rule})
		}
	}
}

// rankKey returns the full key of a setting of a ranker. prior_share belongs to the bounded ranker, but
// stands beside kind, not among its parts.
func rankKey(kind, key string) string {
	if key == "prior_share" {
		return "rank." + key
	}
	return "rank." + kind + "." + key
}

func kindNames() []string { return slices.Sorted(maps.Keys(kinds)) }

// split undoes errors.Join.
func split(err error) []error {
	var joined interface{ Unwrap() []error }
	if errors.As(err, &joined) {
		return joined.Unwrap()
	}
	if err == nil {
		return nil
	}
	return []error{err}
}
