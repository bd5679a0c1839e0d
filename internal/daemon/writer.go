package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

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

// A write is memories to append or ids to delete, and where to answer.
type write struct {
	put    []memory.Memory
	delete []string
	done   chan<- written
}

type written struct {
	deleted []memory.Memory
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
}

func newWriter(s *store.Store, f *follower, e *embedding, log *slog.Logger) *writer {
	return &writer{store: s, follower: f, embedding: e, log: log, queue: make(chan write, maxQueue)}
}

// append stores memories and returns when they are durable. Their ids are
// filled in.
func (w *writer) append(ctx context.Context, ms []memory.Memory) error {
	for i := range ms {
		if ms[i].Deleted {
			return &badRequest{errors.New("deleted: must not be set")}
		}
		if err := ms[i].Normalize(); err != nil {
			return &badRequest{err}
		}
	}
	_, err := w.do(ctx, write{put: ms})
	return err
}

// delete forgets a memory and returns it.
func (w *writer) delete(ctx context.Context, id string) ([]memory.Memory, error) {
	return w.do(ctx, write{delete: []string{id}})
}

func (w *writer) do(ctx context.Context, job write) ([]memory.Memory, error) {
	done := make(chan written, 1)
	job.done = done
	select {
	case w.queue <- job:
	default:
		return nil, errBusy
	}
	select {
	case r := <-done:
		return r.deleted, r.err
	case <-ctx.Done():
		return nil, ctx.Err()
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
	if job.delete != nil {
		deleted, err := w.store.Delete(time.Now().UTC(), job.delete...)
		w.wake()
		job.done <- written{deleted, err}
		return
	}
	jobs, put := []write{job}, job.put
	var next *write
	for len(put) < maxBatch && len(w.queue) > 0 && next == nil {
		j := <-w.queue
		if j.delete != nil {
			next = &j
			break
		}
		jobs, put = append(jobs, j), append(put[:len(put):len(put)], j.put...)
	}
	errs := w.put(jobs, put)
	w.wake()
	for i, j := range jobs {
		j.done <- written{err: errs[i]}
	}
	if next != nil {
		w.write(*next)
	}
}

// wake tells those who keep something behind the store.
func (w *writer) wake() {
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
