package follower

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"sync/atomic"
	"time"

	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/store"
	"recollect/internal/system/logkey"
	"recollect/internal/system/traffic"
)

const (
	// drain is how long the last purge may take when the daemon ends.
	drain = 5 * time.Second
	// followLines is how many lines of the logs go into one batch of the index.
	followLines = 1000
	// collectFor is how long after a batch the next begins: each becomes a segment of the index, and
	// those of an import that is indexed memory by memory took two fifths of its time to merge.
	collectFor = 500 * time.Millisecond
	// followRetry is how long the follower waits after a disk error.
	followRetry = 10 * time.Second
	// purgeAfter is how long the index must be quiet before deleted memories are
	// purged from its files, and purgeRetry how long after a failure the purge is
	// tried again.
	purgeAfter = 2 * time.Second
	purgeRetry = time.Minute
	// maxMended is how often in a row an index is begun anew on disk. Its folder may
	// have been deleted, which is noticed more than once.
	maxMended = 3
)

// Index brings the search index up to date with the store: what the logs gained since
// the index's watermark goes into it, in batches that advance the watermark. An index
// without a watermark is filled from the start; one whose watermark no longer fits the
// logs, because a user edited them, is compared with the store; a damaged one is begun
// anew. Searches meanwhile use the index as it is.
type Index struct {
	store *store.Store
	index *index.Index
	way   *traffic.Traffic // what each batch gives way to
	log   *slog.Logger

	version atomic.Int64 // changes with the store and with the index
	mended  int          // how often the index was begun anew since it was up to date
	updated time.Time    // when its last batch ended

	verified bool // it has been compared with the store

	*progress
	rebases chan rebase
	purges  chan chan error
}

// A rebase tells that logs were compacted whose marks were before until then.
type rebase struct {
	before store.Marks
	done   chan error
}

// NewIndex returns the follower that brings x up to date with s. Run does the work.
func NewIndex(s *store.Store, x *index.Index, way *traffic.Traffic, log *slog.Logger) *Index {
	return &Index{store: s, index: x, way: way, log: log, progress: newProgress(), rebases: make(chan rebase), purges: make(chan chan error)}
}

// Version changes with the store and with the index: what was computed from the memories
// at a version is valid for as long as the version.
func (f *Index) Version() int64 { return f.version.Load() }

// StoreChanged wakes the follower after memories were stored or deleted.
func (f *Index) StoreChanged() {
	f.version.Add(1)
	f.recordChange()
}

// Rebase sets the watermark after logs were compacted whose marks were before until then, so that
// an index that was up to date remains so.
func (f *Index) Rebase(ctx context.Context, before store.Marks) error {
	r := rebase{before, make(chan error, 1)}
	select {
	case f.rebases <- r:
	case <-ctx.Done():
		return ctx.Err()
	}
	return <-r.done
}

// rebaseNow is Rebase where the work is done. An index that was not up to date, because it was begun
// anew meanwhile, is compared with the store or filled instead: with the new watermark it would
// never get what it lacks.
func (f *Index) rebaseNow(before store.Marks) error {
	var marks store.Marks
	if json.Unmarshal(f.index.Watermark(), &marks) != nil || !sameMarks(before, marks) {
		f.recordChange()
		return nil
	}
	return f.index.Update(nil, nil, encodeMarks(f.store.Marks()))
}

// Run follows the store until ctx ends. When the index is quiet, and at the end, it
// purges what was deleted.
func (f *Index) Run(ctx context.Context) error {
	quiet := time.NewTimer(purgeAfter)
	for {
		select {
		case <-ctx.Done():
			f.purgeLast(ctx)
			return nil
		case <-quiet.C:
			if err := f.purgeStale(ctx); err != nil {
				quiet.Reset(purgeRetry)
			}
		case done := <-f.purges:
			done <- f.purgeNow(ctx)
		case <-f.nudge:
			if f.store.Held() != nil {
				continue // the folder was removed or replaced: the daemon ends
			}
			quiet.Reset(purgeAfter)
			f.pause(ctx, f.updated.Add(collectFor))
			err := f.followLogs(ctx)
			f.updated = time.Now()
			if err == nil {
				err = f.verifyOnce(ctx)
			}
			if err == nil {
				f.mended = 0
				f.recordCaughtUp()
			} else if err := f.retryLater(ctx, err); err != nil {
				return err
			}
		case r := <-f.rebases:
			r.done <- f.rebaseNow(r.before)
		case err := <-f.index.Broken():
			if err := f.beginAnew(err); err != nil {
				return err
			}
		}
	}
}

// Purge rewrites the index without the words of deleted and replaced memories, and
// returns when that is done.
func (f *Index) Purge(ctx context.Context) error {
	done := make(chan error, 1)
	select {
	case f.purges <- done:
	case <-ctx.Done():
		return ctx.Err()
	}
	select {
	case err := <-done:
		return err
	case <-ctx.Done():
		return ctx.Err() // the purge goes on
	}
}

// purgeStale purges the index if anything was deleted.
func (f *Index) purgeStale(ctx context.Context) error {
	if !f.index.Stale() {
		return nil
	}
	err := f.purgeNow(ctx)
	if err != nil && ctx.Err() == nil {
		f.log.Warn("purge index", logkey.Error, err)
	}
	return err
}

// purgeLast purges the index when the daemon ends. If there is too little time, the next
// daemon does it.
func (f *Index) purgeLast(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	f.purgeStale(ctx)
}

// purgeNow purges the index after bringing it up to date. One without memories is begun
// anew.
func (f *Index) purgeNow(ctx context.Context) error {
	if err := f.followLogs(ctx); err != nil {
		return err
	}
	began := time.Now()
	for _, id := range f.store.IDs() {
		some, err := f.store.Get(id)
		if err != nil {
			continue // deleted or unreadable meanwhile
		}
		err = f.index.Purge(ctx, some)
		f.log.Debug("purged index", logkey.Took, time.Since(began))
		return err
	}
	if err := f.index.Reset(); err != nil {
		return err
	}
	f.recordChange() // to set the watermark of the new index
	return nil
}

// retryLater prepares another attempt after a failure: at once when the index is damaged,
// else after followRetry, when a full disk may have room again.
func (f *Index) retryLater(ctx context.Context, cause error) error {
	if ctx.Err() != nil {
		return nil
	}
	f.log.Error("index", logkey.Error, cause)
	f.recordStop(cause)
	select {
	case <-ctx.Done():
	case err := <-f.index.Broken():
		return f.beginAnew(err)
	case <-time.After(followRetry):
		f.recordChange()
	}
	return nil
}

// beginAnew begins a new index in place of a damaged one: in memory, if new ones were damaged
// themselves, because the disk seems to be full or broken.
func (f *Index) beginAnew(cause error) error {
	f.log.Error("index damaged", logkey.Error, cause)
	if f.store.Held() != nil {
		return nil // the folder was removed or replaced: a new one would lie in the next daemon's way
	}
	reset := f.index.Reset
	if f.mended >= maxMended {
		reset = func() error { return f.index.ResetInMemory(cause) }
	}
	f.mended++
	if err := reset(); err != nil {
		return fmt.Errorf("begin new index: %w", err)
	}
	f.recordChange()
	return nil
}

// followLogs brings the index up to where the logs end.
func (f *Index) followLogs(ctx context.Context) error {
	mark := f.index.Watermark()
	if mark == nil {
		return f.fillNew(ctx)
	}
	var marks store.Marks
	if err := json.Unmarshal(mark, &marks); err != nil {
		return f.compareWithStore(ctx)
	}
	work := f.way.Begin(ctx)
	defer work.End()
	for ; ctx.Err() == nil; work.Next(ctx) {
		ch, err := f.store.Since(marks, followLines)
		if errors.Is(err, store.ErrRewritten) {
			work.End()
			return f.compareWithStore(ctx)
		}
		if err != nil {
			return err
		}
		if len(ch.Put) == 0 && len(ch.Deleted) == 0 && sameMarks(ch.Marks, marks) {
			return nil
		}
		f.setWork("indexing", f.index.Len(), f.store.Len())
		if err := f.index.Update(ch.Put, ch.Deleted, encodeMarks(ch.Marks)); err != nil {
			return err
		}
		f.version.Add(1)
		marks = ch.Marks
	}
	return ctx.Err()
}

// fillNew puts every memory into a new index, the newest first, and sets the watermark only
// at the end: an interrupted fill starts over.
func (f *Index) fillNew(ctx context.Context) error {
	marks := f.store.Marks()
	ids := f.store.IDs()
	f.log.Info("filling index", logkey.Memories, len(ids))
	return f.putBatches(ctx, ids, nil, marks)
}

// compareWithStore brings an index whose watermark does not fit the logs in line with the store,
// whatever was edited.
func (f *Index) compareWithStore(ctx context.Context) error {
	marks := f.store.Marks()
	ids := f.store.IDs()
	live := make(map[string]bool, len(ids))
	for _, id := range ids {
		live[id] = true
	}
	indexed, err := f.index.IDs()
	if err != nil {
		return err
	}
	gone := slices.DeleteFunc(indexed, func(id string) bool { return live[id] })
	f.log.Info("logs were edited, comparing index", logkey.Memories, len(ids), logkey.Gone, len(gone))
	return f.putBatches(ctx, ids, gone, marks)
}

// verifyOnce indexes, once, what an up-to-date index lacks, and removes what it has too much: an earlier
// version could give a new index the watermark of a full one.
func (f *Index) verifyOnce(ctx context.Context) error {
	if f.verified || f.index.Len() == f.store.Len() {
		f.verified = true
		return nil
	}
	indexed, err := f.index.IDs()
	if err != nil {
		return err
	}
	has := make(map[string]bool, len(indexed))
	for _, id := range indexed {
		has[id] = true
	}
	marks := f.store.Marks()
	var lacks []string
	for _, id := range f.store.IDs() {
		if !has[id] {
			lacks = append(lacks, id)
		}
		delete(has, id)
	}
	f.log.Warn("the index does not have what is stored", logkey.Memories, len(lacks), logkey.Gone, len(has))
	f.verified = true
	return f.putBatches(ctx, lacks, slices.Collect(maps.Keys(has)), marks)
}

func (f *Index) putBatches(ctx context.Context, ids, gone []string, marks store.Marks) error {
	total := len(ids)
	work := f.way.Begin(ctx)
	defer work.End()
	for ; ; work.Next(ctx) {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		f.setWork("indexing", total-len(ids), total)
		n := min(len(ids), followLines)
		batch := make([]memory.Memory, 0, n)
		for _, id := range ids[:n] {
			if m, err := f.store.Get(id); err == nil { // else deleted or unreadable meanwhile
				batch = append(batch, m)
			}
		}
		ids = ids[n:]
		var mark []byte
		if len(ids) == 0 {
			mark = encodeMarks(marks)
		}
		if err := f.index.Update(batch, gone, mark); err != nil {
			return err
		}
		f.version.Add(1)
		if gone = nil; len(ids) == 0 {
			work.End()
			return f.followLogs(ctx)
		}
	}
}

func encodeMarks(m store.Marks) []byte {
	b, err := json.Marshal(m)
	if err != nil {
		panic(err) // a map of numbers
	}
	return b
}

func sameMarks(a, b store.Marks) bool {
	for src, m := range a {
		if b[src] != m {
			return false
		}
	}
	return true
}
