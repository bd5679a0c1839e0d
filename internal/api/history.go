package api

import (
	"time"

	"recollect/internal/memory"
)

// A Timeline is a page of memories in order of time, the newest first. Next is where the next
// page begins, "" on the last one. Total counts the memories on all pages.
type Timeline struct {
	Memories []Shown `json:"memories"`
	Total    int     `json:"total"`
	Next     string  `json:"next"`
}

// Projects are the projects that have memories, those with the most first.
type Projects struct {
	Projects []ProjectCount `json:"projects"`
}

// A ProjectCount counts the memories of all projects of a name. Memories that apply to every
// project are counted under "".
type ProjectCount struct {
	Name     string `json:"name"`
	Memories int    `json:"memories"`
}

// Sessions is a page of the sessions into which memories were injected, the newest first.
type Sessions struct {
	Sessions []SessionCount `json:"sessions"`
	Total    int            `json:"total"`
	Next     string         `json:"next"`
}

// A SessionCount counts what was injected into a session. Topic and Project come from the
// memories of the session, and are "" if it has none.
type SessionCount struct {
	ID      string    `json:"id"`
	First   time.Time `json:"first"` // time of the first injection
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

// A SessionUse lists what was injected into a session, in order of time.
type SessionUse struct {
	SessionCount
	Cwd    string  `json:"cwd,omitempty"`
	Events []Event `json:"events"`
}

// An Event lists what was injected at one event of a session. Prompt is the prompt before it,
// "" if it was not stored.
type Event struct {
	Name     string    `json:"name"` // of Claude Code's event, "" if an earlier version recorded it
	At       time.Time `json:"at"`
	Agent    string    `json:"agent,omitempty"` // sub-agent, "" for the main one
	Prompt   string    `json:"prompt,omitempty"`
	Memories []Use     `json:"memories"`
}

// A Use is a memory that was injected. Used is nil until its use has been assessed.
type Use struct {
	ID      string        `json:"id"`
	Source  memory.Source `json:"source"`
	Title   string        `json:"title"`
	Tokens  int           `json:"tokens"`
	Used    *bool         `json:"used,omitempty"`
	Verdict string        `json:"verdict,omitempty"` // what the owner said of it
}

// Days lists the days, in UTC and in order, on which something happened.
type Days struct {
	Days []Day `json:"days"`
}

// A Day has the statistics of a day, by event.
type Day struct {
	Date   string                 `json:"date"` // 2026-02-01
	Events map[string]*EventStats `json:"events"`
}

// Event returns the statistics of an event, and adds empty ones if there are none.
func (d *Day) Event(name string) *EventStats {
	if d.Events == nil {
		d.Events = map[string]*EventStats{}
	}
	if d.Events[name] == nil {
		d.Events[name] = &EventStats{}
	}
	return d.Events[name]
}
