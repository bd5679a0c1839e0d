package api

import (
	"context"
	"time"

	"recollect/internal/memory"
)

// ProjectHomes lists the projects that have memories, those with the most first. Undo is the
// last move between them, which can be undone.
type ProjectHomes struct {
	Projects []ProjectHome `json:"projects"`
	Undo     *ProjectMoved `json:"undo,omitempty"`
}

// A ProjectHome is a project that has memories.
type ProjectHome struct {
	memory.Project
	Memories int       `json:"memories"`
	Last     time.Time `json:"last,omitzero"`  // when the newest of them happened
	Gone     bool      `json:"gone,omitempty"` // its folder does not exist
}

// ProjectMove asks to give the memories of a project to another, or to undo the last move.
type ProjectMove struct {
	From  string `json:"from,omitempty"`  // folder, remote or name
	To    string `json:"to,omitempty"`    // a folder in it
	Merge bool   `json:"merge,omitempty"` // even if To has memories of its own
	Undo  bool   `json:"undo,omitempty"`
}

// ProjectMoved is a move that was made. Memories counts the memories that moved.
type ProjectMoved struct {
	At       time.Time      `json:"at"`
	From     memory.Project `json:"from"`
	To       memory.Project `json:"to"`
	Memories int            `json:"memories"`
}

// The routes about the projects of memories.
var (
	RouteProjectHomes = Route[struct{}, ProjectHomes]{"GET", "/projects/homes", statusOK}
	RouteProjectMove  = Route[ProjectMove, ProjectMoved]{"POST", "/projects/move", statusOK}
)

// ProjectHomes returns the projects that have memories.
func (c *Client) ProjectHomes(ctx context.Context) (ProjectHomes, error) {
	return call(ctx, c, RouteProjectHomes, struct{}{})
}

// MoveProject gives the memories of a project to another, or undoes that.
func (c *Client) MoveProject(ctx context.Context, m ProjectMove) (ProjectMoved, error) {
	return call(ctx, c, RouteProjectMove, m)
}
