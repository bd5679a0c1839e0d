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

// WeakBelow is the relevance below which a result of a search is weak, unless it has every word
// of the query. In a store of seven memories, most that share no word with the query have 0.06 to
// 0.10. It was not measured on larger stores since relevance was last fitted.
const WeakBelow = 0.1

// A Found is one result of a search.
type Found struct {
	Memory    memory.Memory `json:"memory"`
	Relevance float64       `json:"relevance"`
	Score     float64       `json:"score"`
	Weak      bool          `json:"weak,omitempty"` // below WeakBelow, and it lacks a word of the query
}

// SearchReply is the answer to a search, best result first, with an explanation if one was
// asked for.
type SearchReply struct {
	Results     []Found      `json:"results"`
	Settings    string       `json:"settings_problem,omitempty"` // mistakes for which older settings are in force
	Explanation *Explanation `json:"explanation,omitempty"`
}
