package api

import (
	"time"

	"recollect/internal/memory"
)

// A Where selects memories by project: those of the project with this name or path, all,
// or else those of the project that Cwd lies in and those that apply to every project.
type Where struct {
	Cwd     string
	Project string
	All     bool
}

// A Listing is the newest memories of a source, and the number of all.
type Listing struct {
	Memories []Shown `json:"memories"`
	Total    int     `json:"total"`
}

// A Handoff asks to write the handoff of a session of the project that Cwd lies in: the one
// with the first of Transcripts, the newest first, that is of that project.
type Handoff struct {
	Cwd         string   `json:"cwd"`
	Transcripts []string `json:"transcripts"`
}

// A Graph is an entity with the memories that name it, the newest first, and what several
// of them have in common, the most common first.
type Graph struct {
	Entity   string `json:"entity"`
	Memories []Node `json:"memories"`
	Total    int    `json:"total"` // memories that name it
	Shared   []Link `json:"shared"`
}

// A Node is a memory in a graph.
type Node struct {
	ID      string        `json:"id"`
	Source  memory.Source `json:"source"`
	Project string        `json:"project,omitempty"`
	Title   string        `json:"title"`
	When    time.Time     `json:"when,omitzero"`
}

// A Link is something that several memories name. Kind is file, command,
// error, symbol, keyword or session.
type Link struct {
	Kind string   `json:"kind"`
	Name string   `json:"name"`
	IDs  []string `json:"ids"` // of the memories
}

// Backup asks for an archive in a new file at Path, which must be absolute. Version is the client's.
type Backup struct {
	Path    string `json:"path"`
	Version string `json:"version"`
}

// BackedUp says what a backup contains.
type BackedUp struct {
	Path     string `json:"path"`
	Bytes    int64  `json:"bytes"`
	Files    int    `json:"files"`
	Memories int    `json:"memories"`
}

// Titles are the memories or sessions that a Beginning asks for, and the number of all. A session
// has the title of its newest memory.
type Titles struct {
	Titles []Title `json:"titles"`
	Total  int     `json:"total"`
}
