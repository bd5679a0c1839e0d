package api

import (
	"context"
	"time"
)

// A Pause begins or ends a pause: of a session, of the project of a folder, or else of
// everything.
type Pause struct {
	Session string `json:"session,omitempty"`
	Cwd     string `json:"cwd,omitempty"` // a folder of the project
	End     bool   `json:"end,omitempty"`
}

// Paused lists the pauses that last. Changed is false if there was no pause to end.
type Paused struct {
	Changed bool         `json:"changed"`
	Pauses  []PauseState `json:"pauses"`
}

// A PauseState is a pause that lasts: of a session, of a project, or else of everything.
type PauseState struct {
	Session string    `json:"session,omitempty"`
	Project string    `json:"project,omitempty"`
	Path    string    `json:"path,omitempty"` // of the project
	Since   time.Time `json:"since"`
}

// Pause begins or ends a pause.
func (c *Client) Pause(ctx context.Context, p Pause) (Paused, error) {
	return call(ctx, c, RoutePause, p)
}
