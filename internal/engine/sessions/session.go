// Package sessions holds the state of each session of Claude Code: what was injected
// into it, its fallback, how full its context is, which of its tools failed, and the
// tasks of its sub-agents. A fallback is a file with what the hook injects when the
// daemon does not answer.
package sessions

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory/clean"
	"recollect/internal/recall"
	"recollect/internal/system/durable"
)

// A Session is the state of one session of Claude Code, or of one of its sub-agents.
// It is locked while a recall is made for it.
type Session struct {
	ID             string            `json:"id"`
	Parent         string            `json:"of,omitempty"`     // of a sub-agent: its session
	Injected       map[string]string `json:"injected"`         // content keys by id of the memories in its context
	OldInjected    map[string]string `json:"told,omitempty"`   // what earlier versions called Injected
	Chosen         []string          `json:"chosen,omitempty"` // ids of what a model of the user's chose of them
	Passed         []string          `json:"passed,omitempty"` // ids of what passed the gates at the last prompt, in order of rank
	LastPrompt     string            `json:"last_prompt,omitempty"`
	Prompts        []string          `json:"prompts,omitempty"` // ids of the last prompts that were answered, or need no answer
	Cwd            string            `json:"cwd,omitempty"`
	TranscriptPath string            `json:"transcript,omitempty"`
	Compacted      time.Time         `json:"compacted,omitzero"`
	Fallback       map[string]string `json:"fallback,omitempty"` // content keys by id of the memories in the fallback
	Recalled       *api.Recalled     `json:"recalled,omitempty"` // what came of the last prompt, without any text
	Began          *api.Recalled     `json:"began,omitempty"`    // what came of its start, until a prompt brings something

	sync.Mutex `json:"-"`
	dir        string         // that its file is in
	file       *durable.State // that it is saved in
}

// Context returns what Claude has in its context, for recall, which compares the id with
// those in the store.
func (s *Session) Context() recall.Session {
	return recall.Session{ID: clean.ID(cmp.Or(s.Parent, s.ID)), Injected: maps.Clone(s.Injected), Passed: s.Passed, Compacted: s.Compacted, Begun: s.Recalled != nil || s.LastPrompt != ""}
}

// InjectedIDs returns the ids of the memories in the session's context, sorted.
func (s *Session) InjectedIDs() []string {
	ids := []string{}
	for key := range s.Injected {
		ids = append(ids, memoryOf(key))
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

// memoryOf returns the id of the memory that a key of Injected stands for: of a handoff, each
// line has a key of its own, which begins with the id.
func memoryOf(key string) string {
	id, _, _ := strings.Cut(key, "#")
	return id
}

// AddInjected records what was injected into the session.
func (s *Session) AddInjected(keys map[string]string) {
	if s.Injected == nil {
		s.Injected = map[string]string{}
	}
	maps.Copy(s.Injected, keys)
}

// mostPrompts is how many prompts of a session are known. A tool call is seldom of an earlier one than the last.
const mostPrompts = 8

// AddPrompt records that a prompt was answered, or needs no answer. One without an id is not recorded.
func (s *Session) AddPrompt(id string) {
	if id == "" || s.HasPrompt(id) {
		return
	}
	s.Prompts = append(s.Prompts, id)
	s.Prompts = s.Prompts[max(0, len(s.Prompts)-mostPrompts):]
}

// HasPrompt reports whether a prompt was answered, or needs no answer.
func (s *Session) HasPrompt(id string) bool { return slices.Contains(s.Prompts, id) }

// SetRecalled records what came of a prompt.
func (s *Session) SetRecalled(outcome *api.Recalled) {
	if s.Recalled = outcome; outcome.Injected > 0 {
		s.Began = nil
	}
}

// Compact records that the session's context was cut down to a summary.
func (s *Session) Compact(now time.Time) {
	s.Injected, s.Chosen, s.Passed, s.Compacted = nil, nil, nil, now
}

// Save writes the session's state by way of a temporary file.
func (s *Session) Save() error {
	if s.ID == "" {
		return nil
	}
	if _, err := os.Stat(s.home()); err != nil { // it was removed, and is not to be made again
		return fmt.Errorf("save session: %w", err)
	}
	return s.file.Write(s)
}

// home returns the data folder that the session's state lies in.
func (s *Session) home() string { return filepath.Dir(s.dir) }
