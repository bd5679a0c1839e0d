package index

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/blevesearch/bleve/v2/index/scorch"
	bleveindex "github.com/blevesearch/bleve_index_api"

	"recollect/internal/memory"
)

// staleKey stands beside the documents while words may lie in the files that
// no memory has any more. So a purge that a crash prevented is not forgotten.
var staleKey = []byte("recollect.stale")

const (
	// purgeRounds is how often a purge merges at most: a merge takes ten
	// segments together, so this is enough for more than there ever are.
	purgeRounds = 5
	// sweepEvery is how often a purge looks whether bleve has removed the
	// files that it no longer needs.
	sweepEvery = 5 * time.Millisecond
)

// Stale reports whether memories were deleted since the last Purge: their
// words are found no more, but are still in the files.
func (x *Index) Stale() bool {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return x.stale
}

// Purge writes the files anew without the words of deleted and replaced
// memories and returns when the old files are gone. It takes as long as
// copying the index; searches go on meanwhile. some is any memory that the
// index holds, as it is now: bleve merges no segment that stands alone, so it
// is put once more. An index that holds none is begun anew instead, see Reset.
func (x *Index) Purge(ctx context.Context, some memory.Memory) error {
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
		if whole, err := g.whole(); err != nil {
			return fmt.Errorf("purge index %s: %w", x.dir, err)
		} else if whole {
			break
		}
	}
	if err := g.swept(ctx); err != nil {
		return fmt.Errorf("purge index %s: %w", x.dir, err)
	}
	batch := bleveindex.NewBatch()
	batch.SetInternal(staleKey, []byte{})
	if err := g.apply(batch); err != nil {
		return fmt.Errorf("purge index %s: %w", x.dir, err)
	}
	x.mu.Lock()
	x.stale = false
	x.mu.Unlock()
	return nil
}

// merge makes one segment of all of them. As with apply, damage ends the wait;
// so does ctx, which the merge itself notices.
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

// whole reports whether no segment holds a document that does not count.
func (g *generation) whole() (bool, error) {
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

// swept waits until there are no more files of segments than segments. bleve
// removes a file once nobody reads it and a later state is on disk.
func (g *generation) swept(ctx context.Context) error {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	for {
		files, err := filepath.Glob(filepath.Join(g.dir, "store", "*.zap"))
		if err != nil {
			return err
		}
		snap, err := g.snapshot()
		if err != nil {
			return err
		}
		segments := segmentsOf(snap)
		if len(files) <= segments {
			return nil
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

func segmentsOf(snap *scorch.IndexSnapshot) int {
	defer snap.Close()
	return len(snap.Segments())
}
