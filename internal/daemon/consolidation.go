package daemon

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"recollect/internal/api"
	"recollect/internal/consolidate"
	"recollect/internal/memory"
	"recollect/internal/store"
)

const (
	// consolidateAfter is how long a change waits for others before memories
	// are compared.
	consolidateAfter = 3 * time.Second
	// consolidateShare keeps what comparing takes, while changes go on, to one
	// part in so many of the time.
	consolidateShare = 20
	// consolidateTries is how often memories are compared again at once that
	// somebody changed while they were.
	consolidateTries = 3
)

// consolidation joins memories that say the same, and lets newer ones
// supersede older ones, some time after the store has changed. What it finds
// does not depend on when it looks, so nothing is kept of where it was: a
// daemon's first look is at everything.
type consolidation struct {
	store  *store.Store
	writer *writer
	log    *slog.Logger

	looking sync.Mutex
	seen    store.Marks // how the logs were at the last look
}

func newConsolidation(s *store.Store, w *writer, log *slog.Logger) *consolidation {
	return &consolidation{store: s, writer: w, log: log}
}

// run looks after each change until ctx ends, and then once more if one waits.
func (c *consolidation) run(ctx context.Context) {
	wait := consolidateAfter
	for {
		select {
		case <-ctx.Done():
			if len(c.writer.changed) > 0 {
				c.settle(ctx)
			}
			return
		case <-c.writer.changed:
		}
		select {
		case <-ctx.Done():
			c.settle(ctx)
			return
		case <-time.After(wait):
		}
		began := time.Now()
		c.look(ctx)
		wait = max(consolidateAfter, consolidateShare*time.Since(began))
	}
}

// settle looks once more when the daemon ends.
func (c *consolidation) settle(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	c.look(ctx)
}

// look consolidates the sources whose logs are not as they were at the last
// look.
func (c *consolidation) look(ctx context.Context) {
	c.looking.Lock()
	defer c.looking.Unlock()
	marks := c.store.Marks()
	for _, src := range consolidate.Sources() {
		if marks[src] == c.seen[src] {
			continue
		}
		merges, err := c.consolidate(ctx, src, false)
		if err != nil {
			c.log.Warn("consolidate", "source", src, "error", err)
			return
		}
		if len(merges) > 0 {
			c.log.Info("consolidated", "source", src, "superseded", len(merges))
		}
	}
	c.seen = marks
}

// all consolidates every source; with dry set it only tells what it would do.
func (c *consolidation) all(ctx context.Context, dry bool) ([]consolidate.Merge, error) {
	c.looking.Lock()
	defer c.looking.Unlock()
	var all []consolidate.Merge
	for _, src := range consolidate.Sources() {
		merges, err := c.consolidate(ctx, src, dry)
		if err != nil {
			return nil, err
		}
		all = append(all, merges...)
	}
	return all, nil
}

// consolidate does so with one source. What somebody changed meanwhile is
// compared anew; the merges of the last comparison are returned with those
// that were stored before it.
func (c *consolidation) consolidate(ctx context.Context, src memory.Source, dry bool) ([]consolidate.Merge, error) {
	var all []consolidate.Merge
	for range consolidateTries {
		var ms []memory.Memory
		for m, err := range c.store.Source(src) {
			if err != nil {
				return nil, err
			}
			ms = append(ms, m)
		}
		changes, merges := consolidate.Compare(ms)
		if dry {
			return merges, nil
		}
		stale, err := c.writer.amend(ctx, changes)
		if err != nil {
			return nil, err
		}
		for _, m := range merges {
			if !stale[m.New.ID] {
				all = append(all, m)
			}
		}
		if len(stale) == 0 {
			break
		}
	}
	return all, nil
}

func (d *Daemon) consolidate(ctx context.Context, in api.Consolidate) (api.Consolidated, error) {
	if err := d.parts(ctx); err != nil {
		return api.Consolidated{}, err
	}
	merges, err := d.consolidation.all(ctx, in.DryRun)
	if err != nil {
		return api.Consolidated{}, err
	}
	out := api.Consolidated{Merges: []api.Merge{}}
	for _, m := range merges {
		out.Merges = append(out.Merges, api.Merge{
			ID: m.New.ID, Title: m.New.Title, OldID: m.Old.ID, OldTitle: m.Old.Title,
			Source: m.New.Source, Project: m.New.Project, Same: m.Twin,
		})
	}
	return out, nil
}
