package api

import (
	"time"

	"recollect/internal/memory"
)

// A Where selects memories by project. All selects all memories, and Project, a name or
// path, those of a project. Otherwise the memories of the project of Cwd are selected, and
// those that apply to every project.
type Where struct {
	Cwd     string
	Project string
	All     bool
}

// A Listing has the newest memories of a source, and the number of all.
type Listing struct {
	Memories []Shown `json:"memories"`
	Total    int     `json:"total"`
}

// A Handoff asks to write the handoff of a session of the project of Cwd. The session is that
// of the first of Transcripts, the newest first, that belongs to the project.
type Handoff struct {
	Cwd         string   `json:"cwd"`
	Transcripts []string `json:"transcripts"`
}

// A Graph has the memories that name an entity, the newest first, and the links that
// several of them share, the most common first.
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

// A Link is a name that several memories share. Kind is file, command, error,
// symbol, keyword or session.
type Link struct {
	Kind string   `json:"kind"`
	Name string   `json:"name"`
	IDs  []string `json:"ids"` // of the memories
}

// Backup asks for a backup in a new file at Path, which is absolute. Version is the client's.
type Backup struct {
	Path    string `json:"path"`
	Version string `json:"version"`
}

// BackedUp counts what a backup contains.
type BackedUp struct {
	Path     string `json:"path"`
	Bytes    int64  `json:"bytes"`
	Files    int    `json:"files"`
	Memories int    `json:"memories"`
}

// Titles lists the memories or sessions that a Beginning asks for, and counts all of them. A session
// has the title of its newest memory.
type Titles struct {
	Titles []Title `json:"titles"`
	Total  int     `json:"total"`
}
