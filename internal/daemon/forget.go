package daemon

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// goneWait is how long a client that forgets waits for the words to leave the
// index, which is written anew for it.
const goneWait = 5 * time.Second

// forget deletes one memory and returns it.
func (d *Daemon) forget(ctx context.Context, id string) (memory.Memory, error) {
	if err := d.parts(ctx); err != nil {
		return memory.Memory{}, err
	}
	deleted, err := d.writer.delete(ctx, id)
	if err != nil {
		return memory.Memory{}, err
	}
	if len(deleted) == 0 {
		_, err := d.show(ctx, id)
		return memory.Memory{}, err
	}
	sel := selection{ids: map[string]bool{id: true}}
	return deleted[0], d.erase(ctx, &sel, deleted)
}

// forgetAll deletes what a client selects, and everything made of it.
func (d *Daemon) forgetAll(ctx context.Context, in api.Forget) (api.Forgotten, error) {
	if err := d.parts(ctx); err != nil {
		return api.Forgotten{}, err
	}
	sel, err := d.selection(in)
	if err != nil {
		return api.Forgotten{}, err
	}
	chosen, err := d.choose(ctx, &sel)
	if err != nil || in.DryRun {
		return summary(chosen), err
	}
	if r, ok := sel.rule(chosen, time.Now().UTC()); ok {
		if err := d.capture.Forgotten.Add(r); err != nil {
			return api.Forgotten{}, err
		}
	}
	ids := make([]string, len(chosen))
	for i, m := range chosen {
		ids[i] = m.ID
	}
	deleted, err := d.writer.deleteAll(ctx, ids)
	out := summary(deleted)
	if err == nil {
		err = d.erase(ctx, &sel, deleted)
	}
	if err != nil {
		return out, err
	}
	out.Gone = d.purge(ctx)
	out.Left = d.left(&sel)
	return out, nil
}

// choose returns the memories that are selected. Every id must name one.
func (d *Daemon) choose(ctx context.Context, sel *selection) ([]memory.Memory, error) {
	var chosen []memory.Memory
	for id := range sel.ids {
		m, err := d.store.Get(id)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, m)
	}
	if sel.ids != nil {
		return chosen, nil
	}
	for m, err := range d.store.All() {
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return nil, fmt.Errorf("look for what to forget: %w", err)
		}
		if sel.picks(&m) {
			chosen = append(chosen, m)
		}
	}
	return chosen, nil
}

func summary(ms []memory.Memory) api.Forgotten {
	out := api.Forgotten{Count: len(ms), Sources: map[memory.Source]int{}, Memories: []api.Title{}, Left: []string{}}
	for _, m := range ms {
		out.Sources[m.Source]++
	}
	newest := slices.SortedFunc(slices.Values(ms), func(a, b memory.Memory) int {
		return cmp.Or(b.When().Compare(a.When()), cmp.Compare(a.ID, b.ID))
	})
	for _, m := range newest[:min(len(newest), api.ForgottenTitles)] {
		out.Memories = append(out.Memories, api.Title{ID: m.ID, Source: m.Source, Project: m.Project, Title: m.Title, At: m.When()})
	}
	return out
}

// erase removes what is left of deleted memories outside the index: from the
// state of sessions, the usage, the daemon's log and the logs of memories.
func (d *Daemon) erase(ctx context.Context, sel *selection, deleted []memory.Memory) error {
	t := d.traces(sel, deleted)
	d.sessions.erase(t)
	if err := d.usage.erase(t.ids); err != nil {
		return err
	}
	if err := eraseLogs(d.home, t); err != nil {
		return err
	}
	err := d.writer.scrub(ctx, scrub{line: t.in, replaced: sel.words != nil})
	if err != nil && ctx.Err() == nil {
		// The writer tries again when it is quiet, so nothing is lost.
		d.log.Warn("compact after forgetting", "error", err)
		return nil
	}
	return err
}

// purge writes the index anew without the words of what was deleted, and
// reports whether none are left in it, nor in the logs. What is not done in
// time is done when the daemon is quiet.
func (d *Daemon) purge(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, goneWait)
	defer cancel()
	if err := d.follower.purge(ctx); err != nil {
		d.log.Warn("purge index", "error", err)
		return false
	}
	for _, g := range d.store.Garbage() {
		if g.Forgotten > 0 {
			return false
		}
	}
	return true
}
