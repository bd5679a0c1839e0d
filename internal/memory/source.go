package memory

import (
	"fmt"
	"strings"
)

// A Source is the kind of a memory and names its log file.
type Source string

// The sources, in the order in which users see them.
const (
	Patterns    Source = "patterns"
	Journal     Source = "journal"
	Failures    Source = "failures"
	Handoffs    Source = "handoffs"
	Registry    Source = "registry"
	Inbox       Source = "inbox"
	Goals       Source = "goals"
	Preferences Source = "preferences"
	Episodes    Source = "episodes"
	Thinking    Source = "thinking"
	Team        Source = "team" // shared by others in files of a repository, see package team
)

// Sources lists every source.
var Sources = []Source{
	Patterns, Journal, Failures, Handoffs, Registry,
	Inbox, Goals, Preferences, Episodes, Thinking, Team,
}

var sources = map[Source]struct {
	label  string
	prefix string
	fields []string // the named fields of a structured source, in order
}{
	Patterns:    {"pattern", "pat-", []string{"context", "problem", "solution"}},
	Journal:     {"decision", "dec-", []string{"topic", "rationale", "alternatives"}},
	Failures:    {"failure", "fail-", []string{"tool", "error", "fix"}},
	Handoffs:    {"handoff", "hand-", []string{"cause", "done", "open", "next"}},
	Registry:    {"project", "reg-", nil},
	Inbox:       {"note", "note-", nil},
	Goals:       {"goal", "goal-", nil},
	Preferences: {"preference", "pref-", nil},
	Episodes:    {"episode", "ep-", nil},
	Thinking:    {"thinking", "th-", nil},
	Team:        {"team", "team-", []string{"topic", "context", "problem", "solution", "rationale", "alternatives", "tool", "error", "fix"}},
}

// Valid reports whether s is one of Sources.
func (s Source) Valid() bool { _, ok := sources[s]; return ok }

// Label returns the word shown in brackets for a memory of this source.
func (s Source) Label() string { return sources[s].label }

// Prefix returns the prefix of the ids of this source.
func (s Source) Prefix() string { return sources[s].prefix }

// ParseSource accepts a source's name or its label.
func ParseSource(name string) (Source, error) {
	for _, s := range Sources {
		if name == string(s) || name == s.Label() {
			return s, nil
		}
	}
	return "", fmt.Errorf("source %q: must be one of %s", name, SourceNames())
}

// SourceOf returns the source to which the prefix of id belongs, or false.
func SourceOf(id string) (Source, bool) {
	for _, s := range Sources {
		if strings.HasPrefix(id, s.Prefix()) {
			return s, true
		}
	}
	return "", false
}

// SourceNames lists the names of all sources, for messages.
func SourceNames() string {
	names := make([]string, len(Sources))
	for i, s := range Sources {
		names[i] = string(s)
	}
	return strings.Join(names, ", ")
}
