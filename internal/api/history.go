package api

import (
	"time"

	"recollect/internal/memory"
)

// A Timeline is a page of memories by the time at which they happened, the newest first. Next
// asks for the page after it, "" at the end. Total counts the memories on all pages.
type Timeline struct {
	Memories []Shown `json:"memories"`
	Total    int     `json:"total"`
	Next     string  `json:"next"`
}

// Projects are the projects that have memories, those with the most first.
type Projects struct {
	Projects []ProjectCount `json:"projects"`
}

// A ProjectCount is how many memories the projects of a name have. Those that apply to every
// project are counted under the name "".
type ProjectCount struct {
	Name     string `json:"name"`
	Memories int    `json:"memories"`
}

// Sessions are a page of the sessions into which memories were injected, the newest first.
type Sessions struct {
	Sessions []SessionCount `json:"sessions"`
	Total    int            `json:"total"`
	Next     string         `json:"next"`
}

// A SessionCount is what was injected into a session, in numbers. Topic and Project come from
// its memories, as far as it has any.
type SessionCount struct {
	ID      string    `json:"id"`
	First   time.Time `json:"first"` // injection
	Last    time.Time `json:"last"`
	Topic   string    `json:"topic,omitempty"`
	Project string    `json:"project,omitempty"`
	Injections
}

// Add counts an injection.
func (c *SessionCount) Add(at time.Time, tokens int, used *bool) {
	if c.First.IsZero() || at.Before(c.First) {
		c.First = at
	}
	if at.After(c.Last) {
		c.Last = at
	}
	c.Count(tokens, used)
}

// A SessionUse is what was injected into a session, in the order of time.
type SessionUse struct {
	SessionCount
	Cwd    string  `json:"cwd,omitempty"`
	Events []Event `json:"events"`
}

// An Event is what was injected at one event of a session. Prompt is what the user had asked,
// as far as it was remembered.
type Event struct {
	Name     string    `json:"name"` // of Claude Code's event, "" where an earlier version recorded it
	At       time.Time `json:"at"`
	Agent    string    `json:"agent,omitempty"` // the sub-agent
	Prompt   string    `json:"prompt,omitempty"`
	Memories []Use     `json:"memories"`
}

// A Use is a memory that was injected. Used is nil until that was assessed.
type Use struct {
	ID     string        `json:"id"`
	Source memory.Source `json:"source"`
	Title  string        `json:"title"`
	Tokens int           `json:"tokens"`
	Used   *bool         `json:"used,omitempty"`
}

// Days are the numbers of each day of UTC on which something happened, in order.
type Days struct {
	Days []Day `json:"days"`
}

// A Day is what happened on a day, by event.
type Day struct {
	Date   string                 `json:"date"` // 2026-02-01
	Events map[string]*EventStats `json:"events"`
}

// Event returns the counts of an event, empty ones if there are none yet.
func (d *Day) Event(name string) *EventStats {
	if d.Events == nil {
		d.Events = map[string]*EventStats{}
	}
	if d.Events[name] == nil {
		d.Events[name] = &EventStats{}
	}
	return d.Events[name]
}
