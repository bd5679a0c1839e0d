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

// withdraw removes the memories of turns that the user took back. taken has the session of each turn, by
// the turn's id. A memory that another turn confirmed stays.
func (c *Capture) withdraw(ctx context.Context, taken map[string]string) error {
	return c.withdrawThose(ctx, taken, func(*memory.Memory) bool { return true })
}

// withdrawWords removes what was taken for the user's words in turns that a program began. turns is as for
// withdraw.
func (c *Capture) withdrawWords(ctx context.Context, turns map[string]string) error {
	return c.withdrawThose(ctx, turns, func(m *memory.Memory) bool {
		return m.Origin == memory.OriginUser && !slices.Contains(m.Tags, memory.TagAnswer)
	})
}

// withdrawThose removes those memories of turns that picks returns true for.
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
		ofTurn := session != "" && m.Session == clean.ID(session)
		confirmed := slices.ContainsFunc(m.ConfirmedBy, other)
		if !ofTurn || confirmed || !picks(&m) {
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
