package config

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"recollect/internal/memory"
)

// What is said of all sources holds for each that has no value of its own,
// neither in the shipped file, nor in the user's, nor in a variable.
func TestInherit(t *testing.T) {
	each := func(c *Config, change func(*Shared)) {
		change(&c.Sources.Shared)
		for _, s := range []*Source{
			&c.Sources.Patterns, &c.Sources.Journal, &c.Sources.Failures, &c.Sources.Handoffs, &c.Sources.Registry,
			&c.Sources.Inbox, &c.Sources.Goals, &c.Sources.Preferences, &c.Sources.Episodes, &c.Sources.Thinking, &c.Sources.Team,
		} {
			change(&s.Shared)
		}
	}
	tests := []struct {
		name, text string
		env        []string
		want       func(*Config)
	}{
		{"all", "[sources]\nmin_relevance = 0.8\nenabled = false", nil,
			func(c *Config) { each(c, func(s *Shared) { s.MinRelevance, s.Enabled = 0.8, false }) }},
		{"by a variable", "", []string{"RECOLLECT_SOURCES_MIN_RELEVANCE=0.8"},
			func(c *Config) { each(c, func(s *Shared) { s.MinRelevance = 0.8 }) }},
		{"all but one", "[sources]\nmin_relevance = 0.8\ninbox = { min_relevance = 0.9 }", nil,
			func(c *Config) {
				each(c, func(s *Shared) { s.MinRelevance = 0.8 })
				c.Sources.Inbox.MinRelevance = 0.9
			}},
		{"all but one, which says the shipped value", "[sources]\nmin_relevance = 0.8\ninbox = { min_relevance = 0.6 }", nil,
			func(c *Config) {
				each(c, func(s *Shared) { s.MinRelevance = 0.8 })
				c.Sources.Inbox.MinRelevance = 0.6
			}},
		{"all, one by a variable", "[sources]\nmin_relevance = 0.8", []string{"RECOLLECT_SOURCES_INBOX_MIN_RELEVANCE=0.9"},
			func(c *Config) {
				each(c, func(s *Shared) { s.MinRelevance = 0.8 })
				c.Sources.Inbox.MinRelevance = 0.9
			}},
		{"one, all by a variable", "[sources.inbox]\nmin_relevance = 0.9", []string{"RECOLLECT_SOURCES_MIN_RELEVANCE=0.8"},
			func(c *Config) {
				each(c, func(s *Shared) { s.MinRelevance = 0.8 })
				c.Sources.Inbox.MinRelevance = 0.9
			}},
		{"tokens of those that may take all", "[sources]\ntokens = 300", nil, func(c *Config) {
			for _, s := range []*Shared{&c.Sources.Shared, &c.Sources.Patterns.Shared, &c.Sources.Journal.Shared, &c.Sources.Failures.Shared} {
				s.Tokens = 300
			}
		}},
		{"half-life of those that never age", "[sources]\nhalf_life = \"12h\"", nil, func(c *Config) {
			for _, s := range []*Shared{&c.Sources.Shared, &c.Sources.Registry.Shared, &c.Sources.Goals.Shared, &c.Sources.Preferences.Shared} {
				s.HalfLife = Duration(12 * time.Hour)
			}
		}},
		{"how long, of all but thinking", "[capture.keep]\nage = \"90d\"\ncount = 5", nil, func(c *Config) {
			k := &c.Capture.Keep
			k.Kept = Kept{90 * day, 5}
			for _, one := range []*Kept{
				&k.Patterns, &k.Journal, &k.Failures, &k.Handoffs, &k.Registry, &k.Inbox, &k.Goals, &k.Preferences, &k.Episodes, &k.Team,
			} {
				*one = k.Kept
			}
			k.Thinking.Count = 5
		}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			list := newCatalog()
			changes, err := list.parse("config.toml", tt.text)
			if err != nil {
				t.Fatal(err)
			}
			got, err := list.override(changes, variables(tt.env))
			if err != nil {
				t.Fatal(err)
			}
			want := Default()
			tt.want(&want)
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("settings differ:\n%s", diff)
			}
		})
	}
}

// A mistake in what sources inherit is named where it was made, and once.
func TestInheritedMistake(t *testing.T) {
	_, err := Parse("c.toml", "[sources]\ntokens = 9999\ninbox = { tokens = -1 }\n[capture.keep]\nage = \"-1d\"")
	want := strings.Join([]string{
		"c.toml:2: sources.tokens = 9999: must be between 0 and 2300",
		"c.toml:3: sources.inbox.tokens = -1: must be between 0 and 2300",
		"c.toml:5: capture.keep.age = -24h0m0s: must be 0s or more",
	}, "\n")
	if err == nil || err.Error() != want {
		t.Errorf("Parse error:\n%v\nwant:\n%s", err, want)
	}
}

// Every source can be asked for.
func TestBySource(t *testing.T) {
	c := Default()
	for _, src := range memory.Sources {
		if c.Sources.Of(src).Weight == 0 {
			t.Errorf("%s has no weight", src)
		}
	}
	if got := c.Sources.Of("dreams"); got != (Source{}) {
		t.Errorf("an unknown source has the settings %+v", got)
	}
}
