package api

import (
	"context"
	"net/url"
	"strconv"
	"time"
)

// Recalled is the outcome of one request for memories at an event. Prompt is the beginning of the
// prompt or the task; for a tool call it is the tool and what it is called on. Why says why nothing
// was injected.
type Recalled struct {
	Seq      int64     `json:"seq,omitempty"` // rises from one request to the next, across daemons
	At       time.Time `json:"at"`
	Event    string    `json:"event,omitempty"`
	Session  string    `json:"sessionId,omitempty"`
	Project  string    `json:"project,omitempty"`
	Prompt   string    `json:"prompt,omitempty"`
	Injected int       `json:"injected"`         // memories
	Chosen   int       `json:"chosen,omitempty"` // of them, those that a model of the user's chose
	Tokens   int       `json:"tokens"`           // with the frame around them
	Took     float64   `json:"ms"`               // in the daemon
	Why      string    `json:"why,omitempty"`
	Guard    string    `json:"guard,omitempty"` // what a guard did with the call, ask or deny; Named has its wish
	Named    []Title   `json:"named,omitempty"` // the first memories, with what was injected of them, while the daemon remembers it
}

// MaxRecallsWait is how long the daemon waits at most for the next request.
const MaxRecallsWait = 20 * time.Second

// AskRecalls asks for the outcome of the last prompt of a session, or of its start until a prompt brings something. Without a session it asks for the
// outcomes of all requests after a number; a negative number stands for requests yet to come. If there
// are none, the daemon waits for one up to Wait. It counts as idle meanwhile.
type AskRecalls struct {
	Session string
	After   int64
	Wait    time.Duration
}

func (a AskRecalls) encodeQuery() string {
	return url.Values{
		"session": {a.Session}, "after": {strconv.FormatInt(a.After, 10)}, "wait": {strconv.FormatInt(a.Wait.Milliseconds(), 10)},
	}.Encode()
}

func (a *AskRecalls) readQuery(q url.Values) error {
	after, err := strconv.ParseInt(q.Get("after"), 10, 64)
	if err != nil {
		after = -1
	}
	wait, err := strconv.ParseInt(q.Get("wait"), 10, 64)
	if err != nil {
		wait = 0
	}
	*a = AskRecalls{q.Get("session"), after, min(max(0, time.Duration(wait)*time.Millisecond), MaxRecallsWait)}
	return nil
}

// Recalls lists the outcomes of requests, the oldest first. Next is the After that asks for later ones. Paused says
// that nothing is injected into the session that was asked about.
type Recalls struct {
	Recalls []Recalled `json:"recalls"`
	Next    int64      `json:"next"`
	Paused  bool       `json:"paused,omitempty"`
}

// What the owner of the memories may say of one.
const (
	Useful = "useful" // it counts as used
	Wrong  = "wrong"  // it is not injected again
)

// A Verdict is what the owner said of a memory.
type Verdict struct {
	ID      string    `json:"id"`
	Says    string    `json:"says"`                // Useful or Wrong; "" takes back what was said before
	At      time.Time `json:"at,omitzero"`         // zero stands for now
	Session string    `json:"sessionId,omitempty"` // into which the memory had been injected then, if that is known
}

// SetVerdict stores a verdict, and returns the one before, whose Says is "" if there was none.
func (c *Client) SetVerdict(ctx context.Context, v Verdict) (Verdict, error) {
	return call(ctx, c, RouteVerdict, v)
}
