package api

import (
	"context"
	"net/url"
	"strconv"

	"recollect/internal/memory"
)

// Pending asks for the memories that wait for review, or for the candidates, the newest first. They
// have all words of Query, and are at most Limit.
type Pending struct {
	Query      string
	Source     string
	Where      Where
	Limit      int
	Candidates bool
}

func (p Pending) encodeQuery() string {
	q := p.Where.encodeValues()
	q.Set("q", p.Query)
	q.Set("source", p.Source)
	q.Set("limit", strconv.Itoa(p.Limit))
	if p.Candidates {
		q.Set("candidates", "true")
	}
	return q.Encode()
}

func (p *Pending) readQuery(q url.Values) error {
	*p = Pending{Query: q.Get("q"), Source: q.Get("source"), Where: readWhere(q), Limit: readLimit(q), Candidates: q.Get("candidates") == "true"}
	return nil
}

// Review approves or rejects memories that wait for review, and candidates. Rejected ones are deleted,
// and never stored again.
type Review struct {
	IDs    []string `json:"ids"`
	Reject bool     `json:"reject,omitempty"`
}

// Reviewed lists the memories that no longer wait, and counts those that still do.
type Reviewed struct {
	Memories []Title `json:"memories"`
	Left     int     `json:"left"`
}

// Pending lists the memories that wait for review, or the candidates.
func (c *Client) Pending(ctx context.Context, p Pending) (Listing, error) {
	return call(ctx, c, RoutePending, p)
}

// Review approves or rejects memories that wait for review.
func (c *Client) Review(ctx context.Context, r Review) (Reviewed, error) {
	return call(ctx, c, RouteReview, r)
}

// Consolidate asks to let memories supersede those that they are similar to, or older ones
// on the same subject. DryRun only reports what that would do.
type Consolidate struct {
	DryRun bool `json:"dryRun"`
	Review bool `json:"review,omitempty"` // instead judge the decisions and wishes of earlier versions anew
}

// Consolidated lists the merges that were made, or would be.
type Consolidated struct {
	Merges     []Merge         `json:"merges"`
	Candidates []memory.Memory `json:"candidates,omitempty"` // what no longer stands
}

// A Merge is a memory that has come to supersede another.
type Merge struct {
	ID       string        `json:"id"`
	Title    string        `json:"title"`
	OldID    string        `json:"old_id"`
	OldTitle string        `json:"old_title"`
	Source   memory.Source `json:"source"`
	Project  string        `json:"project"`
	Same     bool          `json:"same"` // the two are similar; else ID is newer on the same subject
}
