package api

import (
	"context"
	"net/url"
	"strconv"
	"time"

	"recollect/internal/memory"
)

// Routes of those who ask for memory on purpose.
const (
	RouteResume  = "/resume"  // POST
	RouteHandoff = "/handoff" // POST
	RouteList    = "/list"    // GET ?source=&cwd=&project=&all=&limit=
	RouteGraph   = "/graph"   // GET ?entity=&cwd=&project=&all=&limit=
)

// A Where says which projects' memories are asked for: those of the project
// with this name or path, all, or else those of the project that Cwd lies in
// and those that hold everywhere.
type Where struct {
	Cwd     string
	Project string
	All     bool
}

func (w Where) query() url.Values {
	return url.Values{"cwd": {w.Cwd}, "project": {w.Project}, "all": {strconv.FormatBool(w.All)}}
}

// A Listing is the newest memories of a source, and how many there are.
type Listing struct {
	Memories []Shown `json:"memories"`
	Total    int     `json:"total"`
}

// A Handoff asks to write one for the project that Cwd lies in. Transcripts
// are those of sessions, the newest first; the first one of that project counts.
type Handoff struct {
	Cwd         string   `json:"cwd"`
	Transcripts []string `json:"transcripts"`
}

// A Graph is what is known around an entity: the memories that name it, the
// newest first, and what several of them have in common, the most common
// first.
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

// Resume asks what a new session would be told at its start. It leaves no
// trace; SessionID and Reason say nothing.
func (c *Client) Resume(ctx context.Context, s Session) (Recollection, error) {
	return call[Recollection](ctx, c, "POST", RouteResume, s)
}

// Handoff writes a session's handoff now, and returns it.
func (c *Client) Handoff(ctx context.Context, h Handoff) (Shown, error) {
	return call[Shown](ctx, c, "POST", RouteHandoff, h)
}

// List returns the newest memories of a source, limit at most.
func (c *Client) List(ctx context.Context, source memory.Source, w Where, limit int) (Listing, error) {
	q := w.query()
	q.Set("source", string(source))
	q.Set("limit", strconv.Itoa(limit))
	return call[Listing](ctx, c, "GET", RouteList+"?"+q.Encode(), nil)
}

// Graph returns what is known around an entity, with limit memories at most.
func (c *Client) Graph(ctx context.Context, entity string, w Where, limit int) (Graph, error) {
	q := w.query()
	q.Set("entity", entity)
	q.Set("limit", strconv.Itoa(limit))
	return call[Graph](ctx, c, "GET", RouteGraph+"?"+q.Encode(), nil)
}
