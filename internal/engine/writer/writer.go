// Package writer alone changes the store: it stores, changes and deletes
// memories, and compacts the store's logs.
package writer

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/follower"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
	"recollect/internal/system/crash"
	"recollect/internal/text/consolidate"
)

const (
	// maxQueue is how many writes may wait.
	maxQueue = 1024
	// maxBatch is how many memories share one sync to disk.
	maxBatch = 500
)

// A write is a request to append memories, delete ids, make changes, scrub the logs, or merge.
type write struct {
	put    []clean.Memory
	delete []string
	amend  []consolidate.Change
	scrub  *scrub
	merge  *merge
	done   chan<- written
}

// A scrub is a request to remove from the logs at once what was forgotten.
type scrub struct {
	line     func(line []byte) bool
	replaced bool
}

// A merge is a request to join memories of other machines with those of the store.
type merge struct {
	ms   []clean.Memory
	lost func([]memory.Memory) error
}

type written struct {
	merged  store.Merged
	deleted []memory.Memory
	stale   map[string]bool // changes that were not made
	err     error
}

// A Writer is the only writer of a store. Writes that wait together share one sync.
type Writer struct {
	store   *store.Store
	index   *follower.Index
	vectors *follower.Vectors
	log     *slog.Logger
	queue   chan write
	changed chan struct{}
}

// New returns the writer of s, which wakes the followers. Run does the work.
func New(s *store.Store, x *follower.Index, v *follower.Vectors, log *slog.Logger) *Writer {
	return &Writer{store: s, index: x, vectors: v, log: log, queue: make(chan write, maxQueue), changed: make(chan struct{}, 1)}
}

// Append stores memories and returns when they are durable.
func (w *Writer) Append(ctx context.Context, ms []clean.Memory) error {
	_, err := w.queueWrite(ctx, write{put: ms})
	return err
}

// Amend makes those changes whose memories are still as they were. It returns
// the ids of the others: they were changed or deleted since they were read.
func (w *Writer) Amend(ctx context.Context, changes []consolidate.Change) (stale map[string]bool, err error) {
	stale = map[string]bool{}
	for len(changes) > 0 {
		n := min(len(changes), maxBatch)
		r, err := w.queueWrite(ctx, write{amend: changes[:n]})
		if err != nil {
			return nil, err
		}
		maps.Copy(stale, r.stale)
		changes = changes[n:]
	}
	return stale, nil
}

// Delete forgets a memory and returns it.
func (w *Writer) Delete(ctx context.Context, id string) ([]memory.Memory, error) {
	r, err := w.queueWrite(ctx, write{delete: []string{id}})
	return r.deleted, err
}

// DeleteAll forgets memories, a batch at a time, and returns them.
func (w *Writer) DeleteAll(ctx context.Context, ids []string) ([]memory.Memory, error) {
	var all []memory.Memory
	for batch := range slices.Chunk(ids, maxBatch) {
		r, err := w.queueWrite(ctx, write{delete: batch})
		if all = append(all, r.deleted...); err != nil {
			return all, err
		}
	}
	return all, nil
}

// Scrub removes from the logs at once what was forgotten, and the lines without a memory
// that line selects; with replaced set, earlier versions of memories too.
func (w *Writer) Scrub(ctx context.Context, line func(line []byte) bool, replaced bool) error {
	_, err := w.queueWrite(ctx, write{scrub: &scrub{line, replaced}})
	return err
}

// Merge joins memories of other machines with those of the store, see store.Merge.
func (w *Writer) Merge(ctx context.Context, lost func([]memory.Memory) error, ms []clean.Memory) (store.Merged, error) {
	r, err := w.queueWrite(ctx, write{merge: &merge{ms, lost}})
	return r.merged, err
}

// Changed yields after memories were stored or deleted.
func (w *Writer) Changed() <-chan struct{} { return w.changed }

func (w *Writer) queueWrite(ctx context.Context, job write) (written, error) {
	done := make(chan written, 1)
	job.done = done
	select {
	case w.queue <- job:
	default:
		return written{}, api.ErrBusy
	}
	select {
	case r := <-done:
		return r, r.err
	case <-ctx.Done():
		return written{}, ctx.Err()
	}
}

// Run writes until ctx ends; what is queued then is still written.
func (w *Writer) Run(ctx context.Context) {
	quiet := time.NewTimer(tidyAfter)
	for {
		select {
		case job := <-w.queue:
			w.doWrites(job)
			quiet.Reset(tidyAfter)
		case <-quiet.C:
			if !w.compactDead(ctx) {
				quiet.Reset(tidyAfter)
			}
		case <-ctx.Done():
			for len(w.queue) > 0 {
				w.doWrites(<-w.queue)
			}
			w.compactDead(context.WithoutCancel(ctx))
			return
		}
	}
}

// doWrites does a job, together with the appends that wait behind it.
func (w *Writer) doWrites(job write) {
	if !job.appends() {
		var out written
		err := crash.Catch(func() error {
			out = w.doAlone(job)
			return nil
		})
		if err != nil {
			out.err = err
		}
		job.done <- out
		return
	}
	jobs, put := []write{job}, job.put
	var next *write
	for len(put) < maxBatch && len(w.queue) > 0 && next == nil {
		j := <-w.queue
		if !j.appends() {
			next = &j
			break
		}
		jobs, put = append(jobs, j), append(put[:len(put):len(put)], j.put...)
	}
	errs := w.storeAll(jobs, put)
	w.wakeFollowers()
	w.announceChange()
	for i, j := range jobs {
		j.done <- written{err: errs[i]}
	}
	if next != nil {
		w.doWrites(*next)
	}
}

func (j write) appends() bool {
	changes := j.delete != nil || j.amend != nil
	return !changes && j.scrub == nil && j.merge == nil
}

// doAlone does a job that shares its sync with no other job.
func (w *Writer) doAlone(job write) written {
	defer w.wakeFollowers()
	if job.scrub != nil {
		return written{err: w.scrubLogs(*job.scrub)}
	}
	if job.amend != nil {
		stale, err := w.makeChanges(job.amend)
		return written{stale: stale, err: err}
	}
	if job.merge != nil {
		merged, err := w.store.Merge(job.merge.lost, job.merge.ms...)
		w.announceChange()
		return written{merged: merged, err: err}
	}
	deleted, err := w.store.Delete(time.Now().UTC(), job.delete...)
	w.announceChange()
	return written{deleted: deleted, err: err}
}

// makeChanges makes the changes whose memories are still as they were. Only the user can write
// meanwhile, and the user's edits are read first.
func (w *Writer) makeChanges(changes []consolidate.Change) (stale map[string]bool, err error) {
	for range memory.Sources { // each may have been edited
		if _, err := w.store.Since(w.store.Marks(), 0); !errors.Is(err, store.ErrRewritten) {
			break
		}
	}
	stale = map[string]bool{}
	var put []clean.Memory
	for _, c := range changes {
		now, err := w.store.GetEither(c.Was.ID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		if err != nil || !c.Stands(now) {
			stale[c.Was.ID] = true
			continue
		}
		m, err := clean.Draft(memory.Draft{Memory: c.Now})
		if err != nil {
			return nil, err
		}
		put = append(put, m)
	}
	if len(put) == 0 {
		return stale, nil
	}
	return stale, w.store.Append(put...)
}

// announceChange makes Changed yield.
func (w *Writer) announceChange() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

// wakeFollowers wakes the followers of the store.
func (w *Writer) wakeFollowers() {
	w.index.StoreChanged()
	w.vectors.StoreChanged()
}

// storeAll stores the memories of several jobs with one sync. When that fails each job is
// stored by itself, so that one job's mistake does not fail the others.
func (w *Writer) storeAll(jobs []write, all []clean.Memory) []error {
	errs := make([]error, len(jobs))
	err := w.appendCarefully(all)
	for i, j := range jobs {
		errs[i] = err
		if err != nil && len(jobs) > 1 {
			errs[i] = w.appendCarefully(j.put)
		}
	}
	return errs
}

// appendCarefully stores memories. One that panics in the store fails its job, and not the daemon.
func (w *Writer) appendCarefully(ms []clean.Memory) error {
	return crash.Catch(func() error { return w.store.Append(ms...) })
}
