package capture

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"recollect/internal/clean"
	"recollect/internal/memory"
)

// withdraw removes what only turns taught that the user took back, given by their ids with their sessions.
// Whatever other turns said too stays.
func (c *Capture) withdraw(ctx context.Context, taken map[string]string) error {
	if len(taken) == 0 {
		return nil
	}
	only := func(m *memory.Memory) bool {
		session, ok := taken[m.Turn]
		return ok && m.Session == clean.ID(session) && !slices.ContainsFunc(m.ConfirmedBy, func(turn string) bool { return taken[turn] == "" })
	}
	var graves []clean.Memory
	for m, err := range c.store.Everything() {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return fmt.Errorf("withdraw what was taken back: %w", err)
		}
		if !only(&m) {
			continue
		}
		known, err := clean.Draft(memory.Draft{Memory: m})
		if err != nil {
			return fmt.Errorf("withdraw what was taken back: %w", err)
		}
		graves = append(graves, known.Withdrawn().Recorded(time.Now()))
	}
	if len(graves) == 0 {
		return nil
	}
	if err := c.write(ctx, graves); err != nil {
		return fmt.Errorf("withdraw what was taken back: %w", err)
	}
	return nil
}
