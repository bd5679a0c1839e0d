package api

import (
	"context"
	"time"
)

// The actions on a team's server.
const (
	ServerJoin     = "join"     // receive the memories of a folder's project from now on
	ServerLeave    = "leave"    // receive no more, and delete those that were received
	ServerShare    = "share"    // send files, as returned by Share
	ServerWithdraw = "withdraw" // take back the memories with these ids
)

// TeamServer asks for the action Do on the team's server, or only for its state if Do is "".
type TeamServer struct {
	Cwd   string       `json:"cwd"`
	Do    string       `json:"do,omitempty"`
	Files []SharedFile `json:"files,omitempty"`
	IDs   []string     `json:"ids,omitempty"`
}

// TeamServerState is the state of a team's server.
type TeamServerState struct {
	URL       string        `json:"url"`    // "" if none is set
	Member    string        `json:"member"` // name of this member in subjects
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
	Refused  string    `json:"refused,omitempty"` // what the server refuses this member
	Left     int       `json:"left,omitempty"`    // messages that are left out
}

// TeamServer carries out an action on the team's server, and returns its state.
func (c *Client) TeamServer(ctx context.Context, in TeamServer) (TeamServerState, error) {
	return call(ctx, c, RouteTeamServer, in)
}
