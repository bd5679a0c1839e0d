package api

import (
	"context"
	"net/url"
	"time"
)

// Share asks which files would leave the machine if memories were shared with the team of
// a folder's repository: those with the ids, or those of a session, in the name of Author.
type Share struct {
	Cwd         string   `json:"cwd"`
	IDs         []string `json:"ids,omitempty"`
	Session     string   `json:"session,omitempty"`
	Author      string   `json:"author"`
	Preferences bool     `json:"preferences,omitempty"` // wishes too
	Server      bool     `json:"server,omitempty"`      // over the team's server, not as files
}

// Shared lists the files that would leave the machine, and the memories that would not.
// Nothing is written.
type Shared struct {
	Folder  string       `json:"folder"` // where the files belong
	Files   []SharedFile `json:"files"`
	Refused []Refused    `json:"refused,omitempty"`
	Server  bool         `json:"server,omitempty"` // the files belong on the team's server
}

// A SharedFile is the file of one memory.
type SharedFile struct {
	ID       string   `json:"id"` // of the memory
	Name     string   `json:"name"`
	Text     string   `json:"text"`
	There    bool     `json:"there,omitempty"`    // the same text is shared already
	Replaces []string `json:"replaces,omitempty"` // files with an older version of the memory
}

// Refused is a memory that may not be shared.
type Refused struct {
	ID    string `json:"id"`
	Title string `json:"title,omitempty"`
	Why   string `json:"why"`
}

// Team asks for the files that the team of a folder's repository shares. Look records that
// the user has looked at them.
type Team struct {
	Cwd  string
	Look bool
}

func (t Team) encodeQuery() string {
	q := url.Values{"cwd": {t.Cwd}}
	if t.Look {
		q.Set("look", "true")
	}
	return q.Encode()
}

func (t *Team) readQuery(q url.Values) error {
	*t = Team{Cwd: q.Get("cwd"), Look: q.Get("look") != ""}
	return nil
}

// The changes of a file since the last look.
const (
	TeamNew     = "new"
	TeamChanged = "changed"
	TeamRemoved = "removed"
)

// TeamFiles are the files of a team.
type TeamFiles struct {
	Folder string     `json:"folder"`
	Files  []TeamFile `json:"files"`
	// Why says why some files, or all, are not read; "" if all are.
	Why string `json:"why,omitempty"`
}

// A TeamFile is one file of a team.
type TeamFile struct {
	File   string    `json:"file"`
	Change string    `json:"change,omitempty"` // since the last look
	ID     string    `json:"id,omitempty"`     // of the memory in it
	Kind   string    `json:"kind,omitempty"`
	Title  string    `json:"title,omitempty"`
	Author string    `json:"author,omitempty"`
	Date   time.Time `json:"date,omitzero"`
	Gone   []string  `json:"gone,omitempty"` // files that it names and that no longer exist
	// Out says why it is not injected on this machine, "" if it may be.
	Out string `json:"out,omitempty"`
	// Bad reports whether the file is useless on every machine.
	Bad bool `json:"bad,omitempty"`
}

// TeamReject asks to hide memories of a team on this machine, or to show them again.
type TeamReject struct {
	Cwd  string   `json:"cwd"`
	IDs  []string `json:"ids"` // or names of files
	Undo bool     `json:"undo,omitempty"`
}

// Share returns the files that would leave the machine.
func (c *Client) Share(ctx context.Context, in Share) (Shared, error) {
	return call(ctx, c, RouteShare, in)
}

// Team returns the files of a team.
func (c *Client) Team(ctx context.Context, in Team) (TeamFiles, error) {
	return call(ctx, c, RouteTeam, in)
}

// RejectTeam hides or shows memories of a team, and returns all of the team's files.
func (c *Client) RejectTeam(ctx context.Context, in TeamReject) (TeamFiles, error) {
	return call(ctx, c, RouteTeamReject, in)
}

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
