package api

import (
	"time"

	"recollect/internal/memory"
)

// Forget asks to delete memories: those with the ids, or those that meet all other conditions
// that are given. DryRun only reports which they are.
type Forget struct {
	IDs      []string  `json:"ids,omitempty"`
	Project  string    `json:"project,omitempty"` // name or path
	Session  string    `json:"session,omitempty"`
	Source   string    `json:"source,omitempty"`
	Before   time.Time `json:"before,omitzero"`    // memories of earlier events
	Matching string    `json:"matching,omitempty"` // words that a memory contains, or a regular expression between slashes
	Cwd      string    `json:"cwd,omitempty"`
	DryRun   bool      `json:"dryRun,omitempty"`
}

// Forgotten reports which memories were deleted, or would be.
type Forgotten struct {
	Count    int                   `json:"count"`
	Sources  map[memory.Source]int `json:"sources"`
	Memories []Title               `json:"memories"` // the newest of them, ForgottenTitles at most
	Gone     bool                  `json:"gone"`     // their words are no longer in any file; else they will soon be removed
	Left     []string              `json:"left"`     // files of the user in the data folder that still have the words
}

// Redact asks to remove secrets from everything that is stored. DryRun only counts the
// memories that contain some.
type Redact struct {
	DryRun bool `json:"dryRun,omitempty"`
}

// Redacted counts memories and files that contained secrets, or still do after a DryRun.
type Redacted struct {
	Memories int            `json:"memories"`
	Kinds    map[string]int `json:"kinds"`    // secrets of each kind in these memories
	Sessions int            `json:"sessions"` // files with the state or the fallback of a session
	Lines    int            `json:"lines"`    // of the daemon's log
	Gone     bool           `json:"gone"`     // the secrets are no longer in any file; else they will soon be removed
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
	Verdict string        `json:"verdict,omitempty"` // what the owner said of it, where that is asked for
	Gone    bool          `json:"gone,omitempty"`    // where that is asked for: no memory has the id (any more), as of a count of failures
}
