package capture

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/system/crash"
)

// Records takes the memories of another program into the store, as read
// hands them over, with errors for those that it could not read. What the store has stays as it is, with what was edited or
// learned since, unless the other program's record is newer. What was
// forgotten stays so.
func (c *Capture) Records(ctx context.Context, read func(yield func(memory.Draft, error) error) error) (Done, error) {
	defer c.begin(ctx)()
	b := batch{capture: c}
	err := crash.Catch(func() error {
		return read(func(d memory.Draft, unread error) error {
			if c.work.Next(ctx); ctx.Err() != nil {
				return ctx.Err()
			}
			if unread != nil {
				b.done.leaveOut(unread)
				return nil
			}
			return b.adopt(ctx, d)
		})
	})
	return b.done, errors.Join(err, b.finish(ctx))
}

// adopt queues a record of another program, and stores what is queued when it
// is a full batch.
func (b *batch) adopt(ctx context.Context, d memory.Draft) error {
	b.done.Records++
	if strings.TrimSpace(d.Title+d.Body()) == "" {
		b.done.Skipped++
		return nil
	}
	m, err := clean.Draft(d)
	if err != nil {
		b.done.leaveOut(fmt.Errorf("%s: %w", d.Turn, err))
		return nil
	}
	fresh := m.Memory()
	if b.capture.Forgotten.Cover(&fresh) {
		b.done.Forgotten++
		return nil
	}
	if err := b.put(m, laterOf); err != nil || len(b.fresh) < maxBatch {
		return err
	}
	return b.flush(ctx)
}

// laterOf returns the memory of the two that happened last, with what became of
// the old one.
func laterOf(old, fresh memory.Memory) memory.Memory {
	if !fresh.When().After(old.When()) {
		return old
	}
	fresh.Supersedes, fresh.ConfirmedBy = old.Supersedes, old.ConfirmedBy
	return fresh
}
