package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"time"

	"recollect/internal/clean"
	"recollect/internal/consolidate"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// errBusy means that a queue is full: the caller should try again later.
var errBusy = errors.New("too much to do at the moment")

const (
	// maxQueue is how many writes may wait.
	maxQueue = 1024
	// maxBatch is how many memories share one sync to disk.
	maxBatch = 500
	// tidyAfter is how long the logs must be quiet before they are compacted.
	tidyAfter = 2 * time.Second
	// A log is compacted when more than half of it is dead, from this size on.
	minDead = 1 << 20
)

// A write is memories to append, ids to delete, changes to make, or words to
// scrub, and where to answer.
type write struct {
	put    []memory.Memory
	delete []string
	amend  []consolidate.Change
	scrub  *scrub
	done   chan<- written
}

// A scrub removes from the logs at once what was forgotten.
type scrub struct {
	line     func(line []byte) bool // which lines without a memory to remove too
	replaced bool                   // also remove what memories said before they were changed
}

type written struct {
	deleted []memory.Memory
	stale   map[string]bool // changes that were not made
	err     error
}

// writer is the one that changes the store. Writes that wait together share
// one sync.
type writer struct {
	store     *store.Store
	follower  *follower
	embedding *embedding
	log       *slog.Logger
	queue     chan write
	changed   chan struct{} // yields after memories were stored or deleted
}

func newWriter(s *store.Store, f *follower, e *embedding, log *slog.Logger) *writer {
	return &writer{store: s, follower: f, embedding: e, log: log, queue: make(chan write, maxQueue), changed: make(chan struct{}, 1)}
}

// append stores memories and returns when they are durable. Their ids are
// filled in. Whatever way they came, they are cleaned here: no secret is ever
// written.
func (w *writer) append(ctx context.Context, ms []memory.Memory) error {
	for i := range ms {
		if ms[i].Deleted {
			return &badRequest{errors.New("deleted: must not be set")}
		}
		clean.Memory(&ms[i])
		if err := ms[i].Normalize(); err != nil {
			return &badRequest{err}
		}
	}
	_, err := w.do(ctx, write{put: ms})
	return err
}

// amend makes those changes whose memories are still as they were. It returns
// the ids of the others: they were changed or deleted since they were read.
func (w *writer) amend(ctx context.Context, changes []consolidate.Change) (stale map[string]bool, err error) {
	stale = map[string]bool{}
	for len(changes) > 0 {
		n := min(len(changes), maxBatch)
		r, err := w.do(ctx, write{amend: changes[:n]})
		if err != nil {
			return nil, err
		}
		maps.Copy(stale, r.stale)
		changes = changes[n:]
	}
	return stale, nil
}

// delete forgets a memory and returns it.
func (w *writer) delete(ctx context.Context, id string) ([]memory.Memory, error) {
	r, err := w.do(ctx, write{delete: []string{id}})
	return r.deleted, err
}

// deleteAll forgets memories, a batch at a time, and returns them.
func (w *writer) deleteAll(ctx context.Context, ids []string) ([]memory.Memory, error) {
	var all []memory.Memory
	for batch := range slices.Chunk(ids, maxBatch) {
		r, err := w.do(ctx, write{delete: batch})
		if all = append(all, r.deleted...); err != nil {
			return all, err
		}
	}
	return all, nil
}

// scrub does s, and returns when it is done.
func (w *writer) scrub(ctx context.Context, s scrub) error {
	_, err := w.do(ctx, write{scrub: &s})
	return err
}

func (w *writer) do(ctx context.Context, job write) (written, error) {
	done := make(chan written, 1)
	job.done = done
	select {
	case w.queue <- job:
	default:
		return written{}, errBusy
	}
	select {
	case r := <-done:
		return r, r.err
	case <-ctx.Done():
		return written{}, ctx.Err()
	}
}

// run writes until ctx ends; what is queued then is still written.
func (w *writer) run(ctx context.Context) {
	quiet := time.NewTimer(tidyAfter)
	for {
		select {
		case job := <-w.queue:
			w.write(job)
			quiet.Reset(tidyAfter)
		case <-quiet.C:
			if !w.tidy(ctx) {
				quiet.Reset(tidyAfter)
			}
		case <-ctx.Done():
			for len(w.queue) > 0 {
				w.write(<-w.queue)
			}
			w.tidy(context.WithoutCancel(ctx))
			return
		}
	}
}

// write does a job, together with the appends that wait behind it.
func (w *writer) write(job write) {
	if !job.appends() {
		job.done <- w.alone(job)
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
	errs := w.put(jobs, put)
	w.wake()
	w.tell()
	for i, j := range jobs {
		j.done <- written{err: errs[i]}
	}
	if next != nil {
		w.write(*next)
	}
}

func (j write) appends() bool { return j.delete == nil && j.amend == nil && j.scrub == nil }

// alone does a job that shares its sync with no other.
func (w *writer) alone(job write) written {
	defer w.wake()
	if job.scrub != nil {
		return written{err: w.scrubLogs(*job.scrub)}
	}
	if job.amend != nil {
		stale, err := w.change(job.amend)
		return written{stale: stale, err: err}
	}
	deleted, err := w.store.Delete(time.Now().UTC(), job.delete...)
	w.tell()
	return written{deleted: deleted, err: err}
}

// scrubLogs compacts every log that has something to be removed.
func (w *writer) scrubLogs(s scrub) error {
	if err := w.store.Scrub(s.line); err != nil {
		return err
	}
	for src, g := range w.store.Garbage() {
		if g.Forgotten == 0 && !(s.replaced && g.Dead > 0) {
			continue
		}
		w.wake()
		if err := w.compact(context.Background(), src); err != nil {
			return err
		}
	}
	return nil
}

// change stores what memories have become that are as they were. Nobody else
// writes meanwhile but the user, whose edits are read first.
func (w *writer) change(changes []consolidate.Change) (stale map[string]bool, err error) {
	for range memory.Sources { // each may have been edited
		if _, err := w.store.Since(w.store.Marks(), 0); !errors.Is(err, store.ErrRewritten) {
			break
		}
	}
	stale = map[string]bool{}
	var put []memory.Memory
	for _, c := range changes {
		now, err := w.store.Get(c.Was.ID)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return nil, err
		}
		if err != nil || !c.Stands(now) {
			stale[c.Was.ID] = true
			continue
		}
		put = append(put, c.Now)
	}
	if len(put) == 0 {
		return stale, nil
	}
	return stale, w.store.Append(put...)
}

// tell says that memories were stored or deleted.
func (w *writer) tell() {
	select {
	case w.changed <- struct{}{}:
	default:
	}
}

// wake tells those who keep something behind the store.
func (w *writer) wake() {
	w.follower.version.Add(1)
	w.follower.wake()
	w.embedding.wake()
}

// put stores all that jobs hold with one sync. When that fails each is stored
// by itself: what they share is a sync, not their mistakes.
func (w *writer) put(jobs []write, all []memory.Memory) []error {
	errs := make([]error, len(jobs))
	err := w.store.Append(all...)
	for i, j := range jobs {
		errs[i] = err
		if err != nil && len(jobs) > 1 {
			errs[i] = w.store.Append(j.put...)
		}
	}
	return errs
}

// tidy compacts the logs that hold the words of forgotten memories, and those
// that are mostly dead. Nothing else writes meanwhile, so once the index is
// up to date it stays so, and only has to be told the new marks. It reports
// false when there is something left to do.
func (w *writer) tidy(ctx context.Context) bool {
	done := true
	for src, g := range w.store.Garbage() {
		if g.Forgotten == 0 && (g.Dead < minDead || g.Dead < g.Bytes/2) {
			continue
		}
		if err := w.compact(ctx, src); err != nil {
			w.log.Warn("compact", "source", src, "error", err)
			done = false
		}
	}
	return done
}

func (w *writer) compact(ctx context.Context, src memory.Source) error {
	ctx, cancel := context.WithTimeout(ctx, tidyAfter)
	defer cancel()
	if err := w.follower.caughtUp(ctx); err != nil {
		return fmt.Errorf("wait for the index: %w", err)
	}
	if err := w.embedding.compact(ctx, src); err != nil {
		return err
	}
	return w.follower.rebase(ctx)
}
