package api

import "context"

// MostIgnored is how many of what was not read a reply names.
const MostIgnored = 20

// Sync brings the memories together with those of other machines in a target, "" for the one in
// the settings. Anew reads and writes everything again; Leave removes what this machine wrote there.
// Accept carries out the deletions that wait; Undo refuses them, and brings back what those took that
// were accepted.
type Sync struct {
	Target string `json:"target"`
	Anew   bool   `json:"anew,omitempty"`
	Leave  bool   `json:"leave,omitempty"`
	Accept bool   `json:"accept_deletions,omitempty"`
	Undo   bool   `json:"undo_deletions,omitempty"`
}

// Synced says what a synchronization did.
type Synced struct {
	Target    string   `json:"target"`
	Received  int      `json:"received"`          // memories that are new here, or changed
	Deleted   int      `json:"deleted"`           // memories that were forgotten elsewhere
	Held      int      `json:"held"`              // memories that would be deleted, which waits for consent
	Restored  int      `json:"restored"`          // memories that were brought back
	Sent      int      `json:"sent"`              // memories, and ids of forgotten ones
	Conflicts int      `json:"conflicts"`         // memories with versions that did not know each other
	Ignored   []string `json:"ignored"`           // segments and lines that were not read, and why
	CopyOf    string   `json:"copy_of,omitempty"` // where the data folder lay of which this is a copy, with another writer's name
}

// Conflicts lists the memories of which there are several versions.
type Conflicts struct {
	Conflicts []Conflict `json:"conflicts"`
}

// A Conflict is a memory of which machines made versions without knowledge of each other. The
// first is in force.
type Conflict struct {
	ID       string  `json:"id"`
	Versions []Shown `json:"versions"`
}

// Keep settles a conflict: the version of this number, from 1, is in force on all machines.
type Keep struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
}

// Sync brings the memories together with those of other machines.
func (c *Client) Sync(ctx context.Context, s Sync) (Synced, error) {
	return call(ctx, c, RouteSync, s)
}

// Conflicts lists the memories of which there are several versions.
func (c *Client) Conflicts(ctx context.Context) (Conflicts, error) {
	return call(ctx, c, RouteConflicts, struct{}{})
}

// Keep settles a conflict.
func (c *Client) Keep(ctx context.Context, k Keep) (Conflicts, error) {
	return call(ctx, c, RouteKeep, k)
}
