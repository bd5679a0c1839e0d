package capture

import (
	"context"
	"slices"

	"recollect/internal/claudecode"
	"recollect/internal/clean"
	"recollect/internal/extract"
	"recollect/internal/handoff"
	"recollect/internal/memory"
	"recollect/internal/transcript"
)

// handOff stores what r has queued, and the handoff of the session that it has
// read from an offset on. What lies before is read once more.
func (c *Capture) handOff(ctx context.Context, r *reading, from int64) error {
	work := &r.session
	if from > 0 {
		again := reading{project: r.project, projects: r.projects, before: map[string]*extract.Scene{}, ignore: r.ignore}
		work = &again.session
		_, err := transcript.Turns(r.path, 0, func(t claudecode.Turn) error {
			work.Add(again.scene(t))
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	if d, ok := work.Draft(); ok {
		if err := r.learn(d, false); err != nil {
			return err
		}
		if err := r.supersede(clean.Project(d.Home())); err != nil {
			return err
		}
	}
	return r.flush(ctx)
}

// supersede makes the newest handoff of a project, stored or queued, replace
// all others of it, in whichever order they were written.
func (b *batch) supersede(project memory.Project) error {
	var line []memory.Memory
	for _, m := range b.fresh {
		line = append(line, m.Memory())
	}
	queued := len(line)
	for m, err := range b.capture.store.Source(memory.Handoffs) {
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(line[:queued], func(q memory.Memory) bool { return q.ID == m.ID }) {
			line = append(line, m)
		}
	}
	line = slices.DeleteFunc(line, func(m memory.Memory) bool {
		return m.Source != memory.Handoffs || !m.Home().Same(project)
	})
	for _, m := range handoff.InLine(line) {
		if err := b.replace(memory.Draft{Memory: m}); err != nil {
			return err
		}
	}
	return nil
}
