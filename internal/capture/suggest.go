package capture

import (
	"cmp"
	"context"
	"fmt"

	"recollect/internal/agents/claudecode"
	"recollect/internal/agents/transcript"
	"recollect/internal/memory"
)

// A Suggested is what a transcript suggests to somebody who reads it.
type Suggested struct {
	Prompts map[string]string // what the user said in each turn, cleaned, by the turn's id
	Drafts  []memory.Draft    // candidates that no rule recognized, and that are not stored
}

// Suggest returns what a transcript suggests, of the turns that may be learned from. Nothing is stored.
func (c *Capture) Suggest(ctx context.Context, in Input, project func(cwd string) memory.Project) (Suggested, error) {
	f, err := transcript.Open(in.Path)
	if err != nil {
		return Suggested{}, fmt.Errorf("read prompts: %w", err)
	}
	defer f.Close()
	r, out := newReading(c, f, in, offset{}, project), Suggested{Prompts: map[string]string{}}
	_, err = f.Turns(0, func(t claudecode.Turn) error {
		err := r.readGuarded(&t, func() error {
			s, err := r.turnOf(t)
			if s == nil || !s.ByUser() {
				return err
			}
			out.Prompts[s.ID] = s.Asked
			for _, d := range s.Suggestions() {
				r.narrow(&d, &t)
				out.Drafts = append(out.Drafts, d)
			}
			return err
		})
		return cmp.Or(err, ctx.Err())
	})
	if err != nil {
		return Suggested{}, fmt.Errorf("read prompts of %s: %w", in.Path, err)
	}
	return out, nil
}

// Learn stores drafts that somebody confirmed, unless what they say was forgotten.
func (c *Capture) Learn(ctx context.Context, in Input, confirmed []memory.Draft) error {
	defer c.begin(ctx)()
	b := batch{capture: c, review: in.Review}
	for _, d := range confirmed {
		if err := b.learn(d, false); err != nil {
			return err
		}
	}
	return b.finish(ctx)
}
