package upkeep

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"recollect/internal/engine/writer"
	"recollect/internal/memory"
	"recollect/internal/store"
	"recollect/internal/system/crash"
	"recollect/internal/system/logkey"
	"recollect/internal/system/traffic"
	"recollect/internal/text/consolidate"
)

const (
	// consolidateFirst is how long after the first change memories are compared: that
	// pass is over everything, and how long it takes is not known yet.
	consolidateFirst = 3 * time.Second
	// consolidateAfter is how long after a further change they are compared, so that
	// several changes need one comparison, but the next prompt finds it done.
	consolidateAfter = 200 * time.Millisecond
	// consolidateShare limits the comparisons, while changes go on, to one part in
	// so many of the time.
	consolidateShare = 20
	// consolidateTries is how often memories that changed during a comparison are
	// compared at once.
	consolidateTries = 3
)

// Consolidation joins similar memories, and lets newer ones supersede older ones, some
// time after the store has changed. Its result does not depend on when it runs, so it
// stores no progress: a daemon's first pass is over everything.
type Consolidation struct {
	store  *store.Store
	writer *writer.Writer
	way    *traffic.Traffic // what a comparison gives way to
	log    *slog.Logger

	passing sync.Mutex
	seen    store.Marks // how the logs were at the last pass
}

// NewConsolidation returns the consolidation of s. Run consolidates.
func NewConsolidation(s *store.Store, w *writer.Writer, way *traffic.Traffic, log *slog.Logger) *Consolidation {
	return &Consolidation{store: s, writer: w, way: way, log: log}
}

// Run consolidates after each change until ctx ends, and then once more if there was
// one.
func (c *Consolidation) Run(ctx context.Context) {
	wait := consolidateFirst
	for {
		select {
		case <-ctx.Done():
			if len(c.writer.Changed()) > 0 {
				c.finish(ctx)
			}
			return
		case <-c.writer.Changed():
		}
		select {
		case <-ctx.Done():
			c.finish(ctx)
			return
		case <-time.After(wait):
		}
		began := time.Now()
		c.pass(ctx)
		wait = max(consolidateAfter, consolidateShare*time.Since(began))
	}
}

// finish makes the last pass when the daemon ends.
func (c *Consolidation) finish(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	c.pass(ctx)
}

// pass consolidates the sources whose logs have changed since the last pass.
func (c *Consolidation) pass(ctx context.Context) {
	c.passing.Lock()
	defer c.passing.Unlock()
	marks, changed := c.store.Marks(), false
	for _, src := range consolidate.Sources() {
		if marks[src] == c.seen[src] {
			continue
		}
		changed = true
		merges, err := c.consolidate(ctx, src, false)
		if err != nil {
			c.log.Warn("consolidate", logkey.Source, src, logkey.Error, err)
			return
		}
		if len(merges) > 0 {
			c.log.Info("consolidated", logkey.Source, src, logkey.Superseded, len(merges))
		}
		if err := c.promote(ctx, src); err != nil {
			c.log.Warn("promote candidates", logkey.Source, src, logkey.Error, err)
			return
		}
	}
	if changed {
		if err := c.withdraw(ctx); err != nil {
			c.log.Warn("withdraw", logkey.Error, err)
			return
		}
	}
	c.seen = marks
}

// promote makes memories of the candidates of a source that were said again in another session.
func (c *Consolidation) promote(ctx context.Context, src memory.Source) error {
	candidates, err := c.candidatesOf(src)
	if err != nil || len(candidates) == 0 {
		return err
	}
	memories, err := c.memoriesOf(src)
	if err != nil {
		return err
	}
	return c.amend(ctx, consolidate.Repeated(candidates, memories), "candidates stand")
}

// withdraw lets what says that a rule no longer holds supersede that rule, whatever the sources of the two.
func (c *Consolidation) withdraw(ctx context.Context) error {
	var memories, candidates []memory.Memory
	for _, src := range consolidate.Sources() {
		ms, err := c.memoriesOf(src)
		if err != nil {
			return err
		}
		waiting, err := c.candidatesOf(src)
		if err != nil {
			return err
		}
		memories, candidates = append(memories, ms...), append(candidates, waiting...)
	}
	return c.amend(ctx, consolidate.Withdrawn(append(candidates, memories...), memories), "withdrawn")
}

// amend makes changes, which what says.
func (c *Consolidation) amend(ctx context.Context, changes []consolidate.Change, what string) error {
	if len(changes) == 0 {
		return nil
	}
	if _, err := c.writer.Amend(ctx, changes); err != nil {
		return err
	}
	c.log.Info(what, logkey.Memories, len(changes))
	return nil
}

// candidatesOf returns the candidates of a source.
func (c *Consolidation) candidatesOf(src memory.Source) ([]memory.Memory, error) {
	var out []memory.Memory
	for m, err := range c.store.Candidates() {
		if err != nil {
			return nil, err
		}
		if m.Source == src {
			out = append(out, m)
		}
	}
	return out, nil
}

// memoriesOf returns the memories of a source.
func (c *Consolidation) memoriesOf(src memory.Source) ([]memory.Memory, error) {
	var ms []memory.Memory
	for m, err := range c.store.Source(src) {
		if err != nil {
			return nil, err
		}
		ms = append(ms, m)
	}
	return ms, nil
}

// All consolidates every source; with dry set it only returns what it would do.
func (c *Consolidation) All(ctx context.Context, dry bool) ([]consolidate.Merge, error) {
	c.passing.Lock()
	defer c.passing.Unlock()
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

// consolidate consolidates one source. Memories that changed meanwhile are compared
// again; the merges of every comparison are returned.
func (c *Consolidation) consolidate(ctx context.Context, src memory.Source, dry bool) ([]consolidate.Merge, error) {
	var all []consolidate.Merge
	for range consolidateTries {
		changes, merges, err := c.compare(ctx, src)
		if err != nil || dry {
			return merges, err
		}
		stale, err := c.writer.Amend(ctx, changes)
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

// compare compares the memories of a source.
func (c *Consolidation) compare(ctx context.Context, src memory.Source) ([]consolidate.Change, []consolidate.Merge, error) {
	defer c.way.Begin(ctx).End()
	ms, err := c.memoriesOf(src)
	if err != nil {
		return nil, nil, err
	}
	return compare(ctx, ms)
}

// compare is consolidate.Compare, which takes long for many long memories that are nearly alike, and
// cannot be stopped. When ctx ends its result is given up, so that the daemon can end.
func compare(ctx context.Context, ms []memory.Memory) ([]consolidate.Change, []consolidate.Merge, error) {
	type compared struct {
		changes []consolidate.Change
		merges  []consolidate.Merge
		err     error
	}
	done := make(chan compared, 1)
	go func() { // ends by itself, or with the process
		var c compared
		c.err = crash.Catch(func() error {
			c.changes, c.merges = consolidate.Compare(ms)
			return nil
		})
		done <- c
	}()
	select {
	case c := <-done:
		return c.changes, c.merges, c.err
	case <-ctx.Done():
		return nil, nil, ctx.Err()
	}
}
