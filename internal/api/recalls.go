package api

import (
	"net/url"
	"strconv"
	"time"
)

// Recalled is what came of one request for memories at an event. Of a prompt, or a task, Prompt
// has the beginning; of a tool call it has the tool and what it is called on. If nothing was
// injected, Why says why.
type Recalled struct {
	Seq      int64     `json:"seq,omitempty"` // later ones have a higher number, also those of the next daemon
	At       time.Time `json:"at"`
	Event    string    `json:"event,omitempty"`
	Session  string    `json:"sessionId,omitempty"`
	Project  string    `json:"project,omitempty"`
	Prompt   string    `json:"prompt,omitempty"`
	Injected int       `json:"injected"` // memories
	Tokens   int       `json:"tokens"`   // with the frame around them
	Took     float64   `json:"ms"`       // in the daemon
	Why      string    `json:"why,omitempty"`
}

// MaxRecallsWait is how long the daemon waits at most for what was not recalled yet.
const MaxRecallsWait = 20 * time.Second

// AskRecalls asks what came of the last prompt of a session, or, without one, of all requests
// after a number: of those that come if that is negative. If there are none, the daemon waits
// for one. Such a question does not keep the daemon from being idle.
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

// Recalls are what came of requests, the oldest first. Next is the number to ask for what
// comes after them.
type Recalls struct {
	Recalls []Recalled `json:"recalls"`
	Next    int64      `json:"next"`
}
