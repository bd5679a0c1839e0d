package capture

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
)

// withdraw removes what only turns taught that the user took back, given by their ids with their sessions.
// Whatever other turns said too stays.
func (c *Capture) withdraw(ctx context.Context, taken map[string]string) error {
	return c.withdrawThose(ctx, taken, func(*memory.Memory) bool { return true })
}

// withdrawWords removes what only turns taught that a program began, and was taken for the user's, given as for withdraw.
func (c *Capture) withdrawWords(ctx context.Context, turns map[string]string) error {
	return c.withdrawThose(ctx, turns, func(m *memory.Memory) bool {
		return m.Origin == memory.OriginUser && !slices.Contains(m.Tags, memory.TagAnswer)
	})
}

func (c *Capture) withdrawThose(ctx context.Context, turns map[string]string, picks func(*memory.Memory) bool) error {
	if len(turns) == 0 {
		return nil
	}
	other := func(turn string) bool { return turns[turn] == "" }
	var graves []clean.Memory
	for m, err := range c.store.Everything() {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return fmt.Errorf("withdraw what a turn taught: %w", err)
		}
		session := turns[m.Turn]
		if only := session != "" && m.Session == clean.ID(session) && !slices.ContainsFunc(m.ConfirmedBy, other); !only || !picks(&m) {
			continue
		}
		known, err := clean.Draft(memory.Draft{Memory: m})
		if err != nil {
			return fmt.Errorf("withdraw what a turn taught: %w", err)
		}
		graves = append(graves, known.Withdrawn().Recorded(time.Now()))
	}
	if len(graves) == 0 {
		return nil
	}
	if err := c.write(ctx, graves); err != nil {
		return fmt.Errorf("withdraw what a turn taught: %w", err)
	}
	return nil
}
