package api

import (
	"context"
	"time"
)

// What can be done about a team's server.
const (
	ServerJoin     = "join"     // have the memories of a folder's project from now on
	ServerLeave    = "leave"    // no longer, and delete those that came
	ServerShare    = "share"    // send files, as Share has shown them
	ServerWithdraw = "withdraw" // take back what has these ids
)

// TeamServer asks for something about the team's server, or if Do is "" only how that stands.
type TeamServer struct {
	Cwd   string       `json:"cwd"`
	Do    string       `json:"do,omitempty"`
	Files []SharedFile `json:"files,omitempty"`
	IDs   []string     `json:"ids,omitempty"`
}

// TeamServerState is how a team's server stands.
type TeamServerState struct {
	URL       string        `json:"url"`    // "" if none is set
	Member    string        `json:"member"` // this member in subjects
	Connected bool          `json:"connected"`
	Problem   string        `json:"problem,omitempty"`
	Waiting   int           `json:"waiting"` // memories that the server has not acknowledged yet
	Projects  []TeamProject `json:"projects"`
}

// A TeamProject is a project that was joined.
type TeamProject struct {
	Project  string    `json:"project"` // its remote
	Subject  string    `json:"subject"` // of its messages
	Memories int       `json:"memories"`
	Last     time.Time `json:"last,omitzero"`     // when the last message was sent
	Refused  string    `json:"refused,omitempty"` // what the server does not let this member do
	Left     int       `json:"left,omitempty"`    // messages that are left out
}

// TeamServer does something about the team's server.
func (c *Client) TeamServer(ctx context.Context, in TeamServer) (TeamServerState, error) {
	return call(ctx, c, RouteTeamServer, in)
}
