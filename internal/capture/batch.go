package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"time"

	"recollect/internal/capture/extract"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
	"recollect/internal/text/consolidate"
)

// maxBatch is how many memories are stored at a time.
const maxBatch = 200

// A batch collects memories that the store does not have yet.
type batch struct {
	capture *Capture
	review  func(memory.Source) bool // of which sources what is new waits for review; nil for none
	fresh   []clean.Memory
	changed int  // of them, those that replace what is stored
	later   bool // what happened later may be stored already
	done    Done
	refused error // by a log that cannot be read, while others were written
}

// learn queues what a turn taught, unless it is known. What was stored is
// replaced only where the turn has grown since: where it differs otherwise it
// may be because the user edited it. A goal that is reached leaves the store.
func (b *batch) learn(d memory.Draft, grown bool) error {
	d.Pending = d.Candidate > 0 || b.review != nil && b.review(d.Source)
	m, err := clean.Draft(d)
	if err != nil {
		return err
	}
	fresh := m.Memory()
	if b.capture.Forgotten.Cover(&fresh) {
		b.done.Forgotten++
		return nil
	}
	if fresh.Done() {
		return b.end(m)
	}
	var pattern memory.Draft
	var again bool
	err = b.put(m, func(old, fresh memory.Memory) memory.Memory {
		m, ok := extract.Revise(old, fresh)
		if !ok {
			pattern, again = extract.PatternOf(old, fresh)
			m = consolidate.Confirm(old, fresh, grown)
		}
		decidePending(&m, old, fresh)
		return m
	})
	if err != nil || !again {
		return err
	}
	return b.learn(pattern, grown)
}

// decidePending sets whether m, made of a memory that is stored and one that was learned, waits: for the user's review
// until the user says otherwise, and as a candidate until it is said again in another session, or in
// words that leave no doubt.
func decidePending(m *memory.Memory, old, fresh memory.Memory) {
	switch {
	case !old.IsCandidate():
		m.SetPending(old.Pending)
		m.Candidate, m.Stands = 0, old.Stands
	case !fresh.Pending:
		m.Stand(cmp.Or(fresh.Stands, "said on "+fresh.OccurredAt.Format(time.DateOnly)+" in words that leave no doubt"))
	case fresh.Session != old.Session && !old.IsRefused():
		m.Stand("said again on " + fresh.OccurredAt.Format(time.DateOnly) + " in another session")
	default:
		m.SetPending(true)
		m.Candidate = max(old.Candidate, fresh.Candidate)
	}
}

// end queues that the goal m is reached or was given up, if it is known, and was not
// mentioned as open later. If the turns that set it may come after this one, it need not be known.
func (b *batch) end(m clean.Memory) error {
	fresh := m.Memory()
	old, queued, err := b.known(fresh.ID)
	switch {
	case errors.Is(err, store.ErrNotFound):
		if !b.later || b.capture.store.Known(fresh.ID) {
			return nil
		}
	case err != nil:
		return err
	case old.Deleted || fresh.When().Before(old.When()):
		return nil
	}
	gone := m.Ended().Recorded(time.Now())
	if queued >= 0 {
		b.fresh[queued] = gone
		return nil
	}
	b.fresh, b.changed = append(b.fresh, gone), b.changed+1
	return nil
}

// mayRelearn reports whether a memory that is gone may be learned again: it is of a goal that was reached, and is
// open again, or the turn that taught it was taken back.
func (b *batch) mayRelearn(m *memory.Memory) bool {
	at, ok := b.capture.store.Ended(m.ID)
	return ok && m.When().After(at) || b.capture.store.Withdrawn(m.ID)
}

// record queues a memory that somebody wrote down as such, in place of what has
// its id, and stores what is queued when it is a full batch. One that says
// nothing that may be stored is left out; where is where it stands.
func (b *batch) record(ctx context.Context, where string, d memory.Draft) error {
	b.capture.work.Next(ctx)
	m, err := clean.Draft(d)
	if err != nil {
		b.done.leaveOut(fmt.Errorf("%s: %w", where, err))
		return nil
	}
	err = b.put(m, func(_, fresh memory.Memory) memory.Memory { return fresh })
	if err != nil || len(b.fresh) < maxBatch {
		return err
	}
	return b.flush(ctx)
}

// put queues m unless it was forgotten. What has its id already becomes what
// merge makes of the two.
func (b *batch) put(m clean.Memory, merge func(old, fresh memory.Memory) memory.Memory) error {
	fresh := m.Memory()
	old, queued, err := b.known(fresh.ID)
	switch {
	case err == nil && old.Deleted:
		if !fresh.When().After(old.When()) {
			return nil
		}
	case err == nil:
		merged := merge(old, fresh)
		merged.SetPending(merged.Pending && old.Pending) // what was approved stays so
		if consolidate.Same(old, merged) {
			b.done.Unchanged++
			return nil
		}
		if m, err = clean.Draft(memory.Draft{Memory: merged}); err != nil {
			return err
		}
		if queued < 0 {
			b.changed++
		}
	case errors.Is(err, store.ErrNotFound) && b.capture.store.Known(fresh.ID) && !b.mayRelearn(&fresh):
		b.done.Forgotten++
		return nil
	}
	m = m.Recorded(time.Now())
	if queued >= 0 {
		b.fresh[queued] = m
		return nil
	}
	b.fresh = append(b.fresh, m)
	return nil
}

// known returns the memory of an id and where it waits to be stored, −1 where
// it is stored already.
func (b *batch) known(id string) (memory.Memory, int, error) {
	for i := range b.fresh {
		if m := b.fresh[i].Memory(); m.ID == id {
			return m, i, nil
		}
	}
	m, err := b.capture.store.GetEither(id)
	return m, -1, err
}

// flush stores what is queued. What a log refuses that cannot be read is left out, so that
// the rest of the file is still captured; finish reports it.
func (b *batch) flush(ctx context.Context) error {
	if len(b.fresh) == 0 {
		return nil
	}
	b.capture.work.End() // others may go on while this waits for the disk
	err := b.capture.write(ctx, b.fresh)
	b.capture.work.Next(ctx)
	switch {
	case errors.Is(err, store.ErrUnreadable):
		b.refused = fmt.Errorf("store memories: %w", err)
	case err != nil:
		return fmt.Errorf("store memories: %w", err)
	default:
		b.done.Added += len(b.fresh) - b.changed
		b.done.Changed += b.changed
	}
	b.fresh, b.changed = nil, 0
	return nil
}

// finish stores what is queued, and returns an error if anything could not be stored.
func (b *batch) finish(ctx context.Context) error {
	return cmp.Or(b.flush(ctx), b.refused)
}
