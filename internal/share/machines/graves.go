package machines

import (
	"context"
	"errors"
	"fmt"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
)

// A grave is a version from another machine that removes a memory that was here before.
type grave struct {
	memory  clean.Memory
	segment Segment
	whole   bool // the rest of the segment was read
}

// withoutGraves returns ms without graves, which it adds to r.graves. They are merged last, when their
// number is known.
func (r *run) withoutGraves(s Segment, ms []clean.Memory) []clean.Memory {
	if r.Losing == nil {
		return ms
	}
	var out []clean.Memory
	for _, c := range ms {
		m := c.Memory()
		now, err := r.Store.Newest(m.ID)
		switch {
		case err != nil && !m.Deleted:
			r.came[m.ID] = true
			fallthrough
		case err != nil, r.came[m.ID], !removesMemory(&m, &now):
			out = append(out, c)
		default:
			r.graves = append(r.graves, grave{memory: c, segment: s})
		}
	}
	return out
}

// removesMemory reports whether the version m removes the memory now: m deletes it, or has it wait for
// review. The deletion of a goal that was reached does not count.
func removesMemory(m, now *memory.Memory) bool {
	if now.Deleted || now.Pending || memory.Compare(now, m) >= 0 {
		return false
	}
	reached := m.Done() && m.Source == memory.Goals
	return m.Pending || m.Deleted && !reached
}

// mergeGraves merges the graves, unless they have to wait.
func (r *run) mergeGraves(ctx context.Context) error {
	var lost []memory.Memory
	var ms []clean.Memory
	seen := map[string]bool{}
	for _, g := range r.graves {
		m := g.memory.Memory()
		now, err := r.Store.Newest(m.ID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("read %s: %w", m.ID, err)
		}
		if err == nil && removesMemory(&m, &now) && !seen[m.ID] {
			lost, seen[m.ID] = append(lost, now), true
		}
		ms = append(ms, g.memory)
	}
	if len(lost) > 0 {
		wait, err := r.Losing(lost)
		if err != nil {
			return err
		}
		if wait {
			r.done.Held = len(lost)
			return nil
		}
	}
	if err := r.merge(ctx, ms); err != nil {
		return err
	}
	for _, g := range r.graves {
		if g.whole {
			r.state.Read[g.segment.key()] = true
		}
	}
	return nil
}
