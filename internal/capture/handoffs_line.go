package capture

import (
	"context"
	"slices"
	"strings"

	"recollect/internal/claudecode"
	"recollect/internal/memory"
)

// handOff stores what r has queued, and the handoff of the session that it has
// read from an offset on. What lies before is read once more.
func (c *Capture) handOff(ctx context.Context, r *reading, from int64) error {
	work := &r.session
	if from > 0 {
		again := reading{project: r.project, homes: r.homes, before: map[string]*scene{}, ignore: r.ignore}
		work = &again.session
		_, err := Turns(r.path, 0, func(t claudecode.Turn) error {
			work.add(again.scene(t))
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	if m, ok := work.handoff(); ok {
		if err := r.learn(m, false); err != nil {
			return err
		}
		if err := r.supersede(m.Home()); err != nil {
			return err
		}
	}
	return r.flush(ctx)
}

// supersede makes the newest handoff of a project, stored or queued, replace
// all others of it, in whichever order they were written.
func (b *batch) supersede(home memory.Project) error {
	line := slices.Clone(b.fresh)
	for m, err := range b.capture.store.Source(memory.Handoffs) {
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(b.fresh, func(f memory.Memory) bool { return f.ID == m.ID }) {
			line = append(line, m)
		}
	}
	line = slices.DeleteFunc(line, func(m memory.Memory) bool {
		return m.Source != memory.Handoffs || !m.Home().Same(home)
	})
	for _, m := range inLine(line) {
		if err := b.add(m, func(_, fresh memory.Memory) memory.Memory { return fresh }); err != nil {
			return err
		}
	}
	return nil
}

// inLine returns those handoffs of a project, the newest first, that have to
// say something else of which ones they replace: the newest all others, the
// others none. What they replace besides handoffs stays.
func inLine(line []memory.Memory) []memory.Memory {
	slices.SortFunc(line, func(a, b memory.Memory) int {
		if order := b.When().Compare(a.When()); order != 0 {
			return order
		}
		return strings.Compare(a.ID, b.ID)
	})
	var older []string
	for i := len(line) - 1; i > 0; i-- {
		older = append(older, line[i].ID)
	}
	var changed []memory.Memory
	for i, m := range line {
		replaces := slices.DeleteFunc(slices.Clone(m.Supersedes), func(id string) bool {
			return strings.HasPrefix(id, memory.Handoffs.Prefix())
		})
		if i == 0 {
			replaces = append(replaces, older...)
		}
		if !slices.Equal(replaces, m.Supersedes) {
			m.Supersedes = replaces
			changed = append(changed, m)
		}
	}
	return changed
}
