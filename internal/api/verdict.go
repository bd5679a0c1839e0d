package api

import (
	"context"
	"time"
)

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
