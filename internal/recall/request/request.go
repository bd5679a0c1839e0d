// Package request has what recall is asked and what it answers: a request with the session that asks, a result that
// is filled entry by entry within a budget, and the keys by which it is known what a session has.
package request

import (
	"slices"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/memory"
)

// The retrievers that a request may ask for alone.
const (
	Lexical = "lexical" // words
	Vector  = "vector"  // meaning
)

// A Request asks for the memories that matter to a prompt.
type Request struct {
	Prompt       string
	LastPrompt   string         // the session's prompt before, for one that says nothing itself
	Project      memory.Project // where the prompt was typed
	Session      Session
	Agent        string              // type of the sub-agent that is asked, whose own memories come first; "" for none
	HeadingsOnly bool                // headings alone
	Uses         func(id string) int // sessions that made use of a memory before; nil for none
	Now          time.Time
	Settings     config.Settings
	Filter       Filter
	Only         map[string]string // content keys, by id, of the only memories that may be injected; nil for all

	Instructions Instructions        // what Claude reads anyway; only Orient applies them
	Work         memory.Checkout     // what git says is in work; only Orient asks for it
	Begun        func(id string) int // other sessions that began with a memory and went on; nil for none
	Habits       *api.Habits         // what was made use of before; nil if nothing is known

	Offer int // most statements that are offered to a reader; 0 injects instead

	Retriever string // Lexical or Vector for one retriever alone; empty for all
	All       bool   // include what is held back

	leastOfAll float64 // relevance that a memory of any source needs, besides that of its own
}

// A Session is what Claude has in its context already.
type Session struct {
	ID        string
	Injected  map[string]string // content keys of what was injected, by id
	Passed    []string          // memories that passed the gates at the prompt before, in order of rank
	Compacted time.Time         // when its context was last cut down to a summary
	Begun     bool              // it has had a prompt before this one
	Heard     *Heard            // what was said in it; nil where that is not known
}

// Contains reports whether m is of a turn that is still in the session's context, or is the
// session's own handoff, which the summary of a compaction repeats.
func (s *Session) Contains(m *memory.Memory) bool {
	if s.ID == "" || m.Session != s.ID {
		return false
	}
	return m.OccurredAt.After(s.Compacted) || m.Source == memory.Handoffs
}

// A Filter narrows a search. The zero Filter lets everything pass.
type Filter struct {
	Project string // name or path
	Source  memory.Source
	Sources []memory.Source // any of them
}

func (f Filter) Admits(m *memory.Memory) bool {
	inProject := f.Project == "" || f.Project == m.Project || f.Project == m.ProjectPath
	ofSource := f.Source == "" || f.Source == m.Source
	ofSources := len(f.Sources) == 0 || slices.Contains(f.Sources, m.Source)
	return inProject && ofSource && ofSources
}

// Scope returns a function that reports whether a memory is in w; here is the project of
// the user who asks.
func Scope(w api.Where, here memory.Project) func(*memory.Memory) bool {
	switch {
	case w.All:
		return func(*memory.Memory) bool { return true }
	case w.Project != "":
		return Filter{Project: w.Project}.Admits
	}
	req := Request{Project: here}
	return req.Applies
}

// AgeOf returns how long ago m happened. A memory without a date was written by hand and counts as
// new.
func (req *Request) AgeOf(m *memory.Memory) time.Duration {
	if m.When().IsZero() {
		return 0
	}
	return req.Now.Sub(m.When())
}

func (req *Request) UsesOf(id string) int {
	if req.Uses == nil {
		return 0
	}
	return req.Uses(id)
}

// Learned returns what was made use of before, nil if that does not count.
func (req *Request) Learned() *api.Habits {
	if !req.Settings.Recall.Learn {
		return nil
	}
	return req.Habits
}

// BegunWith returns how many other sessions began with a memory and went on.
func (req *Request) BegunWith(id string) int {
	if req.Begun == nil {
		return 0
	}
	return req.Begun(id)
}

// Applies reports whether m applies to the request's project.
func (req *Request) Applies(m *memory.Memory) bool {
	return m.HoldsIn(req.Project)
}
