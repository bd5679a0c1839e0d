package api

import (
	"time"

	"recollect/internal/memory"
)

// Forget selects memories to delete: those with the ids, or those that meet all the other
// conditions that are given. DryRun only reports which they are.
type Forget struct {
	IDs      []string  `json:"ids,omitempty"`
	Project  string    `json:"project,omitempty"` // name or path
	Session  string    `json:"session,omitempty"`
	Source   string    `json:"source,omitempty"`
	Before   time.Time `json:"before,omitzero"`    // it happened before
	Matching string    `json:"matching,omitempty"` // words that stand anywhere in it, or a regular expression between slashes
	Cwd      string    `json:"cwd,omitempty"`
	DryRun   bool      `json:"dryRun,omitempty"`
}

// Forgotten reports what was deleted, or would be.
type Forgotten struct {
	Count    int                   `json:"count"`
	Sources  map[memory.Source]int `json:"sources"`
	Memories []Title               `json:"memories"` // the newest of them, ForgottenTitles at most
	Gone     bool                  `json:"gone"`     // their words are no longer in any file; else they are removed soon
	Left     []string              `json:"left"`     // files of the user in the data folder that still have the words
}

// Redact asks for secrets to be taken out of what is stored. DryRun only counts the
// memories that have some.
type Redact struct {
	DryRun bool `json:"dryRun,omitempty"`
}

// Redacted reports where secrets were, or are.
type Redacted struct {
	Memories int            `json:"memories"`
	Kinds    map[string]int `json:"kinds"`    // how many secrets of each kind these memories had
	Sessions int            `json:"sessions"` // files with the state of a session, or what its hook would inject
	Lines    int            `json:"lines"`    // of the daemon's log
	Gone     bool           `json:"gone"`     // they are no longer in any file; else they are removed soon
}

// ForgottenTitles is how many memories a Forgotten lists.
const ForgottenTitles = 10

// A Title is a memory in a list, without its text.
type Title struct {
	ID      string        `json:"id"`
	Source  memory.Source `json:"source"`
	Project string        `json:"project"`
	Title   string        `json:"title"`
	At      time.Time     `json:"at,omitzero"`
}
