package upkeep

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"recollect/internal/capture/outcomes"
	"recollect/internal/config"
	"recollect/internal/engine/usage"
	"recollect/internal/engine/writer"
	"recollect/internal/memory"
	"recollect/internal/store"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
)

const (
	// retainAfter is how long after its start a daemon first deletes what has
	// expired, so that whoever shortens a time can still change it back.
	retainAfter = 10 * time.Minute
	// retainEvery is how often it deletes after that.
	retainEvery = 24 * time.Hour
	// candidateAge is how long a candidate waits for something that speaks for it.
	candidateAge = 180 * 24 * time.Hour
)

// retained is the content of retention.json.
type retained struct {
	Last time.Time `json:"last"` // when expired memories were deleted last
}

// Retention deletes memories that are older, or more, than capture.keep says.
type Retention struct {
	file     *durable.State // retention.json
	settings *config.Live
	store    *store.Store
	writer   *writer.Writer
	outcomes *outcomes.Log
	usage    *usage.Log
	tally    *usage.Tally
	log      *slog.Logger

	last time.Time // when it deleted last
}

// NewRetention returns the retention of s. Run deletes.
func NewRetention(home string, settings *config.Live, s *store.Store, w *writer.Writer, o *outcomes.Log, u *usage.Log, t *usage.Tally, log *slog.Logger) *Retention {
	r := &Retention{file: durable.NewState(filepath.Join(home, "retention.json")), settings: settings, store: s, writer: w, outcomes: o, usage: u, tally: t, log: log}
	var saved retained
	switch err := r.file.Read(&saved); {
	case err == nil:
		r.last = saved.Last
	case !errors.Is(err, fs.ErrNotExist):
		log.Warn("read retention", logkey.Error, err)
	}
	return r
}

// Newer returns an error if a newer version wrote the file.
func (r *Retention) Newer() error { return r.file.Newer() }

// Run deletes what has expired, once a day, until ctx ends.
func (r *Retention) Run(ctx context.Context) {
	timer := time.NewTimer(retainAfter)
	for {
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		}
		if wait := r.timeToWait(time.Now()); wait > 0 {
			timer.Reset(wait)
			continue
		}
		if err := r.expire(ctx, time.Now()); err != nil && ctx.Err() == nil {
			r.log.Warn("delete what has expired", logkey.Error, err)
		}
		timer.Reset(retainEvery)
	}
}

// timeToWait returns how long to wait for the next deletion. A clock that was set back does
// not delay it.
func (r *Retention) timeToWait(now time.Time) time.Duration {
	if r.last.After(now) {
		return 0
	}
	return r.last.Add(retainEvery).Sub(now)
}

// expire deletes what has expired, the oldest first.
func (r *Retention) expire(ctx context.Context, now time.Time) error {
	limits := r.settings.Current().Capture.Keep
	injected := r.usage.LastInjected()
	var failed error
	count := 0
	for _, src := range memory.Sources {
		limit := limits.Of(src)
		if limit == (config.Kept{}) || src == memory.Team { // it is there as long as its file is
			continue
		}
		ms, err := r.readDates(src)
		if err != nil {
			return err
		}
		deleted, err := r.writer.DeleteAll(ctx, expired(ms, limit, injected, now))
		count += len(deleted)
		if failed = err; failed != nil {
			break
		}
	}
	if failed == nil {
		expired, err := r.expireCandidates(ctx, now)
		count += expired
		failed = err
	}
	if err := r.expireOutcomes(time.Duration(limits.Of(memory.Failures).Age), now); err != nil {
		return err
	}
	if count > 0 {
		r.log.Info("memories expired", logkey.Memories, count)
		r.tally.Expired(now, count)
	}
	return errors.Join(failed, r.save(now))
}

// expireCandidates deletes the candidates that nothing has spoken for in a long time, and returns how many.
func (r *Retention) expireCandidates(ctx context.Context, now time.Time) (int, error) {
	var ids []string
	for m, err := range r.store.Candidates() {
		if err != nil {
			return 0, fmt.Errorf("read candidates: %w", err)
		}
		if now.Sub(m.When()) > candidateAge {
			ids = append(ids, m.ID)
		}
	}
	deleted, err := r.writer.DeleteAll(ctx, ids)
	return len(deleted), err
}

// expireOutcomes deletes how commands ended in turns of an age at which memories of failures expire, 0 for none.
func (r *Retention) expireOutcomes(age time.Duration, now time.Time) error {
	if age == 0 {
		return nil
	}
	isOld := func(m *memory.Memory) bool { return m.When().Before(now.Add(-age)) }
	return r.outcomes.Forget(isOld, func([]byte) bool { return false })
}

// readDates returns the memories of a source with the fields that expiry needs, without their
// texts, because there may be many.
func (r *Retention) readDates(src memory.Source) ([]memory.Memory, error) {
	var ms []memory.Memory
	for m, err := range r.store.Source(src) {
		if err != nil {
			return nil, fmt.Errorf("read %s: %w", src, err)
		}
		ms = append(ms, memory.Memory{
			ID: m.ID, Origin: m.Origin, Importance: m.Importance,
			OccurredAt: m.OccurredAt, LastSeen: m.LastSeen, RecordedAt: m.RecordedAt,
		})
	}
	return ms, nil
}

// save stores that it deleted now.
func (r *Retention) save(now time.Time) error {
	r.last = now
	return r.file.Write(retained{now})
}

// expired returns the ids of the memories of a source that are to be deleted, the
// oldest first: those older than limit.Age, and then the oldest until no more than
// limit.Count are left. Some stay in any case, see mustStay.
func expired(ms []memory.Memory, limit config.Kept, injected map[string]time.Time, now time.Time) []string {
	slices.SortFunc(ms, func(a, b memory.Memory) int {
		return cmp.Or(a.When().Compare(b.When()), cmp.Compare(a.ID, b.ID))
	})
	surplus := 0
	if limit.Count > 0 {
		surplus = len(ms) - limit.Count
	}
	var expiredIDs []string
	for _, m := range ms {
		aged := limit.Age > 0 && m.When().Before(now.Add(-time.Duration(limit.Age)))
		if (aged || len(expiredIDs) < surplus) && !mustStay(&m, injected[m.ID], now) {
			expiredIDs = append(expiredIDs, m.ID)
		}
	}
	return expiredIDs
}

// mustStay reports whether a memory is kept whatever its age: a user wrote it, it is of
// high importance, it was injected recently, or it has no time.
func mustStay(m *memory.Memory, injected, now time.Time) bool {
	if m.Origin == memory.OriginUser || m.Importance == memory.High {
		return true
	}
	return m.When().IsZero() || injected.After(now.Add(-time.Duration(config.KeepUsed)))
}
