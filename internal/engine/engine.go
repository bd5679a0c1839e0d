// Package engine is recollect without its protocol: it opens and owns what lies
// in one data folder, answers what is asked of it, and does the background work.
//
// A prompt: Recollect asks recall, with the state that package sessions holds of
// the session, and queues a job, which logs in usage what was injected and saves
// the session.
//
// What is a noun of its own is a room: what belongs to which project (projects), what people look
// up (history), what is shared with others and with other machines (share/teams, share/machines).
//
// A Stop: Flush queues a job, in which capture reads the transcript from where it
// stopped before. The memories go to writer, which alone changes the store and
// compacts its logs. It wakes the followers, which bring the index and the vectors
// up to date, and the consolidation. The transcript is read again two seconds later.
//
// Run starts every goroutine: the writer, the two followers, the jobs, and from
// upkeep the consolidation (after each write), the retention (once a day), the
// refinement (what a model adds to a session that is quiet), the reader (what a model chooses for a prompt) and the backlog (the
// sessions from before the first one with recollect). They end in the order in which
// one passes work to another.
package engine

import (
	"context"
	"errors"
	"log/slog"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"recollect/internal/api"
	"recollect/internal/capture"
	"recollect/internal/capture/outcomes"
	"recollect/internal/capture/toolcall"
	"recollect/internal/config"
	"recollect/internal/engine/follower"
	"recollect/internal/engine/guards"
	"recollect/internal/engine/history"
	"recollect/internal/engine/pause"
	"recollect/internal/engine/projects"
	"recollect/internal/engine/reader"
	"recollect/internal/engine/sessions"
	"recollect/internal/engine/trial"
	"recollect/internal/engine/upkeep"
	"recollect/internal/engine/usage"
	"recollect/internal/engine/writer"
	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/recall"
	"recollect/internal/share/machines"
	"recollect/internal/share/teams"
	"recollect/internal/store"
	"recollect/internal/store/forgotten"
	"recollect/internal/system/durable"
	"recollect/internal/system/traffic"
)

// drain is how long the jobs that are left may take when the engine ends.
const drain = 5 * time.Second

// An Engine owns a data folder and all that is derived from it. Open is the only
// way to make one. Its methods are safe for concurrent use; those that store
// memories or queue jobs need Run.
type Engine struct {
	// Store and Recall are for callers that read memories, or recall with settings
	// of their own. Only the engine writes.
	Store  *store.Store
	Recall *recall.Recall
	// Projects are what memories belong to, History is what people look up, Teams are with whom memories
	// are shared, and Machines are the user's others.
	Projects *projects.Projects
	History  *history.History
	Teams    *teams.Teams
	Machines *machines.Synchronization

	home     string
	lock     *store.Lock
	settings *config.Live
	log      *slog.Logger

	index    *index.Index
	indexing *follower.Index
	vectors  *follower.Vectors
	writer   *writer.Writer
	capture  *capture.Capture
	traffic  *traffic.Traffic // the requests of hooks, to which the rest gives way
	now      func() time.Time // when prompts, calls and sessions come

	pauses *pause.Pauses
	guards *guards.Guards
	trial  *trial.Trial // the sessions from which memories are withheld

	repositories config.Repositories
	reminded     *durable.State // when the user was reminded of a review, see reviewDue

	sessions *sessions.Sessions
	outcomes *outcomes.Log
	usage    *usage.Log
	habits   atomic.Pointer[api.Habits] // what usage shows, by learnHabits
	tally    *usage.Tally
	answers  *answers
	rules    toolcall.Rules
	recent   *usage.Recent

	jobs    chan job
	imports atomic.Int32 // files that are being imported
	surveys surveys
	reader  *reader.Reader
	upkeep  upkeep.Upkeep
}

// Open opens the data folder home, whose lock the caller holds. Close closes it.
func Open(ctx context.Context, home string, lock *store.Lock, settings *config.Live, log *slog.Logger) (*Engine, error) {
	p, err := openParts(ctx, home, lock, settings, log)
	if err != nil {
		return nil, errors.Join(err, p.close())
	}
	r := p.recall
	r.Store, r.Index, r.Wrong = p.store, p.index, p.usage.Verdicts.IsWrong
	way := p.traffic
	vectors := follower.NewVectors(home, settings, p.store, r.UseVectors, p.ahead, way, log)
	indexing := follower.NewIndex(p.store, p.index, way, log)
	w := writer.New(p.store, indexing, vectors, log)
	c := capture.New(filepath.Join(home, "sessions"), p.store, w.Append)
	c.Forgotten, c.Traffic, c.Outcomes = p.forgotten, way, p.outcomes
	tally := usage.OpenTally(home, log)
	e := &Engine{
		Store: p.store, Recall: r,
		home: home, lock: lock, settings: settings, log: log,
		index: p.index, indexing: indexing, vectors: vectors, writer: w, capture: c, traffic: way, now: time.Now,
		pauses:   pause.Open(home),
		guards:   guards.Open(home, log),
		trial:    trial.New(home),
		reminded: durable.NewState(filepath.Join(home, "review.json")),
		sessions: sessions.NewSessions(home, log),
		outcomes: p.outcomes, usage: p.usage, tally: tally, answers: newAnswers(), recent: usage.NewRecent(time.Now()),
		jobs: make(chan job, maxJobs), surveys: surveys{}, reader: reader.New(settings, log),
		upkeep: upkeep.Upkeep{
			Revisits: upkeep.NewRevisits(), Consolidation: upkeep.NewConsolidation(p.store, w, way, log),
			Retention:       upkeep.NewRetention(home, settings, p.store, w, p.outcomes, p.usage, tally, log),
			Reconsideration: upkeep.NewReconsideration(home, settings, p.store, w, log),
		},
	}
	if err := e.openRooms(p); err != nil {
		return nil, errors.Join(err, p.close())
	}
	e.learnHabits()
	return e, nil
}

// learnHabits learns anew from what was injected and used, so that no prompt has to.
func (e *Engine) learnHabits() { e.habits.Store(e.usage.Habits(e.usage.Verdicts.Said)) }

// openRooms opens what uses the engine itself.
func (e *Engine) openRooms(p parts) (err error) {
	e.Projects = projects.Open(e.home, e.settings, e.Store, e.writer, e.sessions, e.log)
	e.History = history.New(e.Store, e.usage, e.tally, e.sessions, e.Projects)
	e.Teams = teams.New(e.home, e.settings, teams.Parts{
		Store: e.Store, Append: e.writer.Append, Delete: e.writer.DeleteAll, DropFallbacks: e.sessions.DropFallbacks,
		Project: e.Projects.Adopt, Repository: e.narrowingOf, WaitForIndex: e.waitForIndex, Held: e.lock.Held,
		Paused: func(p memory.Project) bool { return e.pauses.Now("", p) },
	}, e.log)
	e.Machines, err = machines.NewSynchronization(e.home, e.settings, machines.Parts{
		Store: e.Store, Append: e.writer.Append, Merge: e.writer.Merge, Restore: e.restoreMemory, Erase: e.eraseForgotten, Show: e.showMemory,
		Forgotten: p.forgotten.Cover, Held: e.lock.Held,
	}, e.log)
	if err != nil {
		return err
	}
	e.upkeep.Refinement = upkeep.NewRefinement(e.capture, e.settings, e.captureInput, e.Projects.Adopt, e.log)
	e.upkeep.Confirmation = upkeep.NewConfirmation(e.capture, e.Store, e.writer, e.settings, e.captureInput, e.Projects.Adopt, e.log)
	e.upkeep.Backlog = upkeep.NewBacklog(e.home, e.settings, e.capture, e.Store.Len(), upkeep.BacklogParts{
		Input: e.captureInput, Project: e.Projects.Meet, Consolidation: e.upkeep.Consolidation, Traffic: e.traffic, CaughtUp: e.UpToDate, Held: e.lock.Held,
	}, e.log)
	return nil
}

// parts are what takes long enough to open that it is opened concurrently.
type parts struct {
	store     *store.Store
	index     *index.Index
	ahead     follower.Ahead
	traffic   *traffic.Traffic
	outcomes  *outcomes.Log
	usage     *usage.Log
	forgotten *forgotten.Rules
	recall    *recall.Recall // has only read its rules
}

// openParts opens the parts. What it returns must be closed even with an error.
func openParts(ctx context.Context, home string, lock *store.Lock, settings *config.Live, log *slog.Logger) (parts, error) {
	p := parts{traffic: traffic.New(), recall: &recall.Recall{}}
	var aside sync.WaitGroup // opens the other parts while the store is scanned
	aside.Go(func() { p.outcomes = outcomes.Open(home, log) })
	aside.Go(func() { p.usage = usage.OpenLog(home, log) })
	aside.Go(func() { p.ahead = follower.OpenAhead(ctx, home, settings, log) })
	aside.Go(func() { p.recall.ReadRules(settings.Current().Synonyms) })
	err := p.openMemories(home, lock, log)
	aside.Wait()
	return p, err
}

func (p *parts) openMemories(home string, lock *store.Lock, log *slog.Logger) (err error) {
	if p.store, err = store.Open(lock, log); err != nil {
		return err
	}
	if p.index, err = index.Open(filepath.Join(home, "index"), p.traffic, log); err != nil {
		return err
	}
	p.forgotten, err = forgotten.Open(filepath.Join(home, "forgotten.jsonl"))
	return err
}

func (p parts) close() error {
	errs := []error{p.ahead.Close()}
	if p.index != nil {
		errs = append(errs, p.index.Close())
	}
	if p.store != nil {
		errs = append(errs, p.store.Close())
	}
	return errors.Join(errs...)
}

// Close closes what Open has opened. Run must have ended.
func (e *Engine) Close() error {
	return errors.Join(e.capture.Skips.Close(), e.vectors.Close(), e.index.Close(), e.Store.Close())
}

// Run does the jobs and the maintenance until ctx ends; then it completes what was
// acknowledged: its goroutines end one after the other, so that each can finish the
// work that the one before it passed on. It calls stop, which must end ctx, when it
// cannot go on.
func (e *Engine) Run(ctx context.Context, stop context.CancelFunc) error {
	consolidating, stopConsolidating := context.WithCancel(context.WithoutCancel(ctx))
	storing, stopStoring := context.WithCancel(context.WithoutCancel(ctx))
	var g errgroup.Group
	g.Go(func() error {
		defer stopConsolidating()
		e.runJobs(ctx)
		return nil
	})
	g.Go(func() error {
		e.runCareful(ctx, "delete what has expired", e.upkeep.Retention.Run)
		return nil
	})
	g.Go(func() error {
		e.runCareful(ctx, "reconsider", e.upkeep.Reconsideration.Run)
		return nil
	})
	g.Go(func() error {
		e.runCareful(ctx, "refine", e.upkeep.Refinement.Run)
		return nil
	})
	g.Go(func() error {
		e.runCareful(ctx, "confirm candidates", e.upkeep.Confirmation.Run)
		return nil
	})
	g.Go(func() error {
		e.runCareful(ctx, "choose what answers prompts", e.reader.Run)
		return nil
	})
	g.Go(func() error {
		e.runCareful(ctx, "import past sessions", e.upkeep.Backlog.Run)
		return nil
	})
	g.Go(func() error {
		e.runCareful(ctx, "sync", e.Machines.Run)
		return nil
	})
	g.Go(func() error {
		e.Teams.Run(ctx)
		return nil
	})
	g.Go(func() error {
		defer stopStoring()
		e.runCareful(consolidating, "consolidate", e.upkeep.Consolidation.Run)
		return nil
	})
	g.Go(func() error { return e.RunStorage(storing, stop) })
	return g.Wait()
}

// RunStorage does a part of what Run does: it stores what it is given and keeps the
// index and the vectors up to date, until ctx ends. It is enough for benchmarks,
// whose memories nobody changes. Recall answers before and after it.
func (e *Engine) RunStorage(ctx context.Context, stop context.CancelFunc) error {
	following, stopFollowing := context.WithCancel(context.WithoutCancel(ctx))
	embedding, stopEmbedding := context.WithCancel(context.WithoutCancel(ctx))
	var g errgroup.Group
	g.Go(func() error {
		defer stopFollowing()
		e.writer.Run(ctx)
		return nil
	})
	g.Go(func() error {
		defer stop()
		defer stopEmbedding()
		return e.indexing.Run(following)
	})
	g.Go(func() error {
		e.vectors.Run(embedding)
		return nil
	})
	return g.Wait()
}

// Replay has prompts, calls and the starts of sessions come at the times that now says, for whoever replays past ones.
// It must be called before the first.
func (e *Engine) Replay(now func() time.Time) { e.now = now }

// Append stores memories. They are found once UpToDate has returned.
func (e *Engine) Append(ctx context.Context, ms []clean.Memory) error {
	return e.writer.Append(ctx, ms)
}

// UpToDate waits until what was stored before the call is found by its words
// and, where there is an embedder, by its meaning. It returns the error that the
// embedder failed with.
func (e *Engine) UpToDate(ctx context.Context) error {
	if err := e.indexing.CaughtUp(ctx); err != nil {
		return err
	}
	return e.vectors.CaughtUp(ctx)
}

// Worked returns how long what is done in the background took since it was asked last.
func (e *Engine) Worked() time.Duration { return e.traffic.Worked() }
