package index

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveindex "github.com/blevesearch/bleve_index_api"

	"recollect/internal/memory"
)

const (
	// purgeRounds is the largest number of merges in a purge. Each merge combines ten segments, so five
	// are enough for any real number.
	purgeRounds = 5
	// pollInterval is the time between two checks whether bleve has removed files that it no longer
	// needs.
	pollInterval = 5 * time.Millisecond
	// pollsPerNudge is the number of such checks after which bleve gets something to write, because only
	// then does it look for such files.
	pollsPerNudge = 20
)

// Stale reports whether memories were deleted since the last Purge. Searches do not find their words, but
// the files still contain them.
func (x *Index) Stale() bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.stale && x.current != nil && x.current.inMemory == nil
}

// Purge rewrites the files without the words of deleted and replaced memories and returns when the old
// files are gone. It takes as long as copying the index; searches continue meanwhile. some is the current
// version of any memory in the index: bleve does not merge a single segment, so Purge adds this memory
// again to create a second one. Call Reset instead if the index is empty. An index in memory has no
// files.
func (x *Index) Purge(ctx context.Context, some memory.Memory) error {
	if x.InMemory() != nil {
		return nil
	}
	if err := x.Update([]memory.Memory{some}, nil, nil); err != nil {
		return err
	}
	x.writing.Lock()
	defer x.writing.Unlock()
	g := x.generation()
	if g == nil {
		return fmt.Errorf("purge index %s: %w", x.dir, errClosed)
	}
	for range purgeRounds {
		if err := g.merge(ctx); err != nil {
			return fmt.Errorf("purge index %s: %w", x.dir, err)
		}
		if done, err := g.noneDeleted(); err != nil {
			return fmt.Errorf("purge index %s: %w", x.dir, err)
		} else if done {
			break
		}
	}
	if err := g.awaitCleanup(ctx); err != nil {
		return fmt.Errorf("purge index %s: %w", x.dir, err)
	}
	if err := g.apply(staleBatch(false)); err != nil {
		return fmt.Errorf("purge index %s: %w", x.dir, err)
	}
	x.mu.Lock()
	x.stale = false
	x.mu.Unlock()
	return nil
}

// merge combines all segments into one. Damage to the generation ends the wait, as in apply. The end of
// ctx ends the wait and the merge itself.
func (g *generation) merge(ctx context.Context) error {
	done := make(chan error, 1)
	go func() { done <- guard(func() error { return g.core.ForceMerge(ctx, nil) }) }()
	select {
	case err := <-done:
		if err == nil {
			err = ctx.Err()
		}
		return err
	case <-g.dead:
		return g.cause
	case <-ctx.Done():
		return ctx.Err()
	}
}

// noneDeleted reports whether no segment contains a deleted document.
func (g *generation) noneDeleted() (bool, error) {
	snap, err := g.snapshot()
	if err != nil {
		return false, err
	}
	defer snap.Close()
	for _, seg := range snap.Segments() {
		if seg.LiveSize() != seg.FullSize() {
			return false, nil
		}
	}
	return true, nil
}

// awaitCleanup waits until there are no more segment files than segments. bleve looks for unused files
// when it has written a later state. Files that were being read at that moment would remain until the
// next write, so awaitCleanup makes bleve write from time to time.
func (g *generation) awaitCleanup(ctx context.Context) error {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for polls := 1; ; polls++ {
		files, err := os.ReadDir(g.store())
		if err != nil {
			return err
		}
		files = slices.DeleteFunc(files, func(e os.DirEntry) bool { return filepath.Ext(e.Name()) != ".zap" })
		snap, err := g.snapshot()
		if err != nil {
			return err
		}
		segments := segmentsOf(snap)
		if len(files) <= segments {
			return nil
		}
		if polls%pollsPerNudge == 0 {
			if err := g.apply(staleBatch(true)); err != nil {
				return err
			}
		}
		select {
		case <-tick.C:
		case <-g.dead:
			return g.cause
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// staleBatch returns a batch that records whether the files still contain words of deleted memories.
func staleBatch(stale bool) *bleveindex.Batch {
	batch := bleveindex.NewBatch()
	value := []byte{}
	if stale {
		value = []byte{1}
	}
	batch.SetInternal(staleKey, value)
	return batch
}

func segmentsOf(snap *scorch.IndexSnapshot) int {
	defer snap.Close()
	return len(snap.Segments())
}
