package capture

import (
	"context"
	"errors"
	"fmt"
	"time"

	"recollect/internal/clean"
	"recollect/internal/consolidate"
	"recollect/internal/extract"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// maxBatch is how many memories are stored at a time.
const maxBatch = 200

// A batch collects memories that the store does not have yet.
type batch struct {
	capture *Capture
	fresh   []memory.Memory
	changed int // of them, those that replace what is stored
	done    Done
}

// learn queues what a turn taught, unless it is known. What was stored is
// replaced only where the turn has grown since: where it differs otherwise it
// may be because the user edited it. That a goal is reached is learned only if
// the goal is known.
func (b *batch) learn(m memory.Memory, grown bool) error {
	if b.capture.Forgotten.covers(&m) {
		b.done.Forgotten++
		return nil
	}
	if m.Done() {
		clean.Memory(&m)
		if err := m.Normalize(); err != nil {
			return err
		}
		if _, _, err := b.known(m.ID); errors.Is(err, store.ErrNotFound) {
			return nil
		}
	}
	var pattern memory.Memory
	var again bool
	err := b.add(m, func(old, fresh memory.Memory) memory.Memory {
		if m, ok := extract.Revise(old, fresh); ok {
			return m
		}
		pattern, again = extract.PatternOf(old, fresh)
		return consolidate.Confirm(old, fresh, grown)
	})
	if err != nil || !again {
		return err
	}
	return b.learn(pattern, grown)
}

// record queues a memory that somebody wrote down as such, and stores what is
// queued when it is a full batch.
func (b *batch) record(ctx context.Context, m memory.Memory) error {
	if err := b.add(m, func(_, fresh memory.Memory) memory.Memory { return fresh }); err != nil || len(b.fresh) < maxBatch {
		return err
	}
	return b.flush(ctx)
}

// add queues m unless it was forgotten. What has its id already gives way to
// what merge makes of it.
func (b *batch) add(m memory.Memory, merge func(old, fresh memory.Memory) memory.Memory) error {
	clean.Memory(&m)
	if err := m.Normalize(); err != nil {
		return err
	}
	old, queued, err := b.known(m.ID)
	switch {
	case err == nil:
		if m = merge(old, m); consolidate.Same(old, m) {
			b.done.Unchanged++
			return nil
		}
	case errors.Is(err, store.ErrNotFound) && b.capture.store.Known(m.ID):
		b.done.Forgotten++
		return nil
	}
	if m.RecordedAt.IsZero() {
		m.RecordedAt = time.Now().UTC().Truncate(time.Second)
	}
	if queued >= 0 {
		b.fresh[queued] = m
		return nil
	}
	b.fresh = append(b.fresh, m)
	if err == nil {
		b.changed++
	}
	return nil
}

// known returns the memory of an id and where it waits to be stored, −1 where
// it is stored already.
func (b *batch) known(id string) (memory.Memory, int, error) {
	for i := range b.fresh {
		if b.fresh[i].ID == id {
			return b.fresh[i], i, nil
		}
	}
	m, err := b.capture.store.Get(id)
	return m, -1, err
}

func (b *batch) flush(ctx context.Context) error {
	if len(b.fresh) == 0 {
		return nil
	}
	if err := b.capture.write(ctx, b.fresh); err != nil {
		return fmt.Errorf("store memories: %w", err)
	}
	b.done.Added += len(b.fresh) - b.changed
	b.done.Changed += b.changed
	b.fresh, b.changed = nil, 0
	return nil
}
