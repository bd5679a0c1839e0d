package api

import "context"

// MostIgnored is the most segments and lines that Synced.Ignored lists.
const MostIgnored = 20

// Sync asks to synchronize the memories with those of other machines in a target, "" for the one in
// the settings. Anew reads and writes everything again. Leave removes from the target what this machine
// wrote. Accept carries out the deletions that wait. Undo refuses them, and restores the memories that
// accepted deletions removed.
type Sync struct {
	Target string `json:"target"`
	Anew   bool   `json:"anew,omitempty"`
	Leave  bool   `json:"leave,omitempty"`
	Accept bool   `json:"accept_deletions,omitempty"`
	Undo   bool   `json:"undo_deletions,omitempty"`
}

// Synced reports what a synchronization did.
type Synced struct {
	Target    string   `json:"target"`
	Received  int      `json:"received"`          // memories that are new here, or changed
	Deleted   int      `json:"deleted"`           // memories that were forgotten elsewhere
	Held      int      `json:"held"`              // memories whose deletion waits for consent
	Restored  int      `json:"restored"`          // memories that were restored
	Sent      int      `json:"sent"`              // memories, and ids of forgotten ones
	Conflicts int      `json:"conflicts"`         // memories with several versions
	Ignored   []string `json:"ignored"`           // segments and lines that were not read, and why
	CopyOf    string   `json:"copy_of,omitempty"` // path of the data folder of which this one turned out to be a copy
}

// Conflicts lists the memories that have several versions.
type Conflicts struct {
	Conflicts []Conflict `json:"conflicts"`
}

// A Conflict is a memory that several machines changed independently. The first version is in force.
type Conflict struct {
	ID       string  `json:"id"`
	Versions []Shown `json:"versions"`
}

// Keep settles a conflict: it puts the version with this number, from 1, in force on all machines.
type Keep struct {
	ID      string `json:"id"`
	Version int    `json:"version"`
}

// Sync synchronizes the memories with those of other machines.
func (c *Client) Sync(ctx context.Context, s Sync) (Synced, error) {
	return call(ctx, c, RouteSync, s)
}

// Conflicts lists the memories that have several versions.
func (c *Client) Conflicts(ctx context.Context) (Conflicts, error) {
	return call(ctx, c, RouteConflicts, struct{}{})
}

// Keep settles a conflict.
func (c *Client) Keep(ctx context.Context, k Keep) (Conflicts, error) {
	return call(ctx, c, RouteKeep, k)
}
