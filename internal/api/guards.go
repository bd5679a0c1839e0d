package api

import (
	"context"
	"net/url"
	"time"

	"recollect/internal/memory"
)

// A GuardDraft asks for the rule that a sentence becomes: Text, or what the memory ID says. Parts of Rule
// that are set replace those of the sentence, which then need not be understood.
type GuardDraft struct {
	Text       string           `json:"text,omitempty"`
	ID         string           `json:"id,omitempty"`
	Cwd        string           `json:"cwd"`
	Project    string           `json:"project,omitempty"`
	Everywhere bool             `json:"everywhere,omitempty"`
	Rule       memory.GuardRule `json:"rule"`
}

// A GuardDrafted is a rule that is not on. Home is the project that it holds in, zero for all.
type GuardDrafted struct {
	ID       string           `json:"id,omitempty"` // of the memory that it comes from
	Sentence string           `json:"sentence"`
	Says     string           `json:"says"` // the rule in English
	Rule     memory.GuardRule `json:"rule"`
	Home     memory.Project   `json:"home,omitzero"`
}

// A GuardRehearsal asks what a rule would have done in the sessions whose transcripts lie at Paths.
type GuardRehearsal struct {
	Rule  memory.GuardRule `json:"rule"`
	Home  memory.Project   `json:"home,omitzero"`
	Paths []string         `json:"paths"`
}

// A GuardRehearsed counts the sessions of the project, and lists the calls that the rule is about.
type GuardRehearsed struct {
	Sessions  int         `json:"sessions"`
	Corrected int         `json:"corrected"` // calls after which the user corrected Claude
	Calls     []GuardPast `json:"calls"`
	Unread    []string    `json:"unread,omitempty"` // transcripts that could not be read
}

// A GuardPast is a call of an earlier session that a rule is about.
type GuardPast struct {
	At        time.Time `json:"at,omitzero"`
	Session   string    `json:"session"`
	Call      string    `json:"call"`
	Corrected bool      `json:"corrected"`
}

// A Guard is a rule that is on. The memory ID says what the user said.
type Guard struct {
	ID         string           `json:"id"`
	Sentence   string           `json:"sentence"` // "" if the memory is gone
	Said       time.Time        `json:"said,omitzero"`
	Says       string           `json:"says"`
	Rule       memory.GuardRule `json:"rule"`
	Project    string           `json:"project,omitempty"` // "" for all
	Since      time.Time        `json:"since"`
	Idle       string           `json:"idle,omitempty"` // why it does nothing now
	Count      int              `json:"count"`          // calls that it acted on
	Overridden int              `json:"overridden"`     // asks that the user approved
	Hits       []GuardHit       `json:"hits"`           // the last ones, the newest first
}

// A GuardHit is a call that a guard acted on. Outcome is overridden or refused, "" if it is not known.
type GuardHit struct {
	At      time.Time `json:"at"`
	Session string    `json:"session"`
	What    string    `json:"what"`
	Action  string    `json:"action"`
	Outcome string    `json:"outcome,omitempty"`
}

// AskGuards asks for the guards, or with Suggest for wishes that could be some.
type AskGuards struct {
	Where   Where
	Suggest bool
}

func (a AskGuards) encodeQuery() string {
	q := a.Where.encodeValues()
	if a.Suggest {
		q.Set("suggest", "true")
	}
	return q.Encode()
}

func (a *AskGuards) readQuery(q url.Values) error {
	*a = AskGuards{readWhere(q), q.Get("suggest") == "true"}
	return nil
}

// GuardList lists guards, or suggestions.
type GuardList struct {
	Guards    []Guard        `json:"guards"`
	Suggested []GuardDrafted `json:"suggested,omitempty"`
}

// DraftGuard returns the rule that a sentence becomes.
func (c *Client) DraftGuard(ctx context.Context, d GuardDraft) (GuardDrafted, error) {
	return call(ctx, c, RouteGuardDraft, d)
}

// RehearseGuard returns what a rule would have done.
func (c *Client) RehearseGuard(ctx context.Context, r GuardRehearsal) (GuardRehearsed, error) {
	return call(ctx, c, RouteGuardRehearse, r)
}

// AddGuard stores what the user said, and switches its guard on.
func (c *Client) AddGuard(ctx context.Context, d GuardDrafted) (Guard, error) {
	return call(ctx, c, RouteGuardAdd, d)
}

// RemoveGuard switches a guard off, and returns it. Its memory stays.
func (c *Client) RemoveGuard(ctx context.Context, id string) (Guard, error) {
	return call(ctx, c, RouteGuardRemove, id)
}

// Guards lists the guards.
func (c *Client) Guards(ctx context.Context, a AskGuards) (GuardList, error) {
	return call(ctx, c, RouteGuards, a)
}
