// Package daemon serves one data folder: HTTP handlers and a lifetime around
// one store, one index, one recall and one capture.
//
// Run starts every goroutine there is and waits for all of them: the server,
// the writer (the only one that changes the store), the follower (the only
// one that changes the index, always behind the store), the embedding (which
// does the same for the vectors), the chores (what may be done after an
// answer), the consolidation (what may be done after a write), the retention
// (what is done once a day), the refinement (what a model adds to a session),
// and the one that waits for idleness.
package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"recollect/internal/api"
	"recollect/internal/capture"
	"recollect/internal/config"
	"recollect/internal/index"
	"recollect/internal/recall"
	"recollect/internal/store"
)

// drain is how long requests in flight may take after the daemon was asked to
// end.
const drain = 5 * time.Second

// memoryLimit is a ceiling for the garbage collector, in bytes: a rebuild of
// the index may not grow the daemon without end.
const memoryLimit = 1 << 30

// openingGC is how much the heap may grow between two garbage collections
// while the parts are opened, in percent of what is in use. Nearly all that is
// made then stays, so the usual 100 costs a seventh of the time for nothing.
const openingGC = 400

// A Daemon serves one data folder.
type Daemon struct {
	home    string
	version string
	log     *slog.Logger
	began   time.Time

	settings *config.Live
	sessions *sessions
	moves    *moves
	tally    *tally
	idle     *idle
	stop     context.CancelFunc

	failure   error         // why there are no parts, once failed is closed
	failed    chan struct{} // closed when the parts could not be opened, or closed
	ready     chan struct{} // closed when the parts below are there
	usage     *usage
	store     *store.Store
	index     *index.Index
	recall    *recall.Recall
	capture   *capture.Capture
	writer    *writer
	follower  *follower
	embedding *embedding
	chores    chan chore
	looks     *looks
	answers   *answers
	tasks     tasks
	usages    usages
	failing   failing
	surveys   surveys

	consolidation *consolidation
	retention     *retention
	refinement    *refinement
}

// Run serves home until ctx ends, somebody asks for shutdown, or nobody has
// asked for anything for the configured time. It returns nil at once when
// another daemon of this version or a newer one serves home already.
func Run(ctx context.Context, home, version string, log *slog.Logger) error {
	if err := api.MakePrivate(home); err != nil {
		return err
	}
	lock, err := takeOver(ctx, home, version)
	if lock == nil {
		return err
	}
	defer lock.Release()
	debug.SetMemoryLimit(memoryLimit)

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d, err := newDaemon(home, version, log, stop)
	if err != nil {
		return err
	}
	listener, err := listen(home)
	if err != nil {
		return err
	}
	defer os.Remove(api.SocketPath(home))
	os.Remove(api.GuardPath(home))
	log.Info("serving", "home", home, "version", version)
	err = d.run(ctx, lock, listener)
	log.Info("ended", "error", err)
	return err
}

func newDaemon(home, version string, log *slog.Logger, stop context.CancelFunc) (*Daemon, error) {
	settings, err := config.NewLive(home, os.Environ())
	if err != nil {
		return nil, err
	}
	return &Daemon{
		home:     home,
		version:  version,
		log:      log,
		began:    time.Now(),
		settings: settings,
		sessions: newSessions(home, log),
		moves:    openMoves(home, log),
		tally:    openTally(home, log),
		idle:     newIdle(),
		stop:     stop,
		failed:   make(chan struct{}),
		ready:    make(chan struct{}),
		chores:   make(chan chore, 64),
		looks:    newLooks(),
		answers:  newAnswers(),
		surveys:  surveys{},
	}, nil
}

// run serves while it opens the store and the index: requests that come
// meanwhile wait for them.
func (d *Daemon) run(ctx context.Context, lock *store.Lock, listener net.Listener) error {
	server := &http.Server{
		Handler:           d.handler(),
		ReadHeaderTimeout: drain,
		ReadTimeout:       drain,
		ErrorLog:          slog.NewLogLogger(d.log.Handler(), slog.LevelDebug),
	}
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("serve: %w", err)
		}
		return nil
	})
	// Requests in flight are answered before the work ends that they wait for.
	working, stopWorking := context.WithCancel(context.WithoutCancel(gctx))
	g.Go(func() error { return d.work(working, lock) })
	g.Go(func() error {
		d.idle.wait(gctx, func() time.Duration { return time.Duration(d.settings.Current().Daemon.IdleExit) })
		d.stop()
		return nil
	})
	g.Go(func() error {
		<-gctx.Done()
		defer stopWorking()
		last, cancel := context.WithTimeout(context.WithoutCancel(gctx), drain)
		defer cancel()
		if err := server.Shutdown(last); err != nil {
			return server.Close()
		}
		return nil
	})
	return g.Wait()
}

// work opens the store and the index, then keeps them until ctx ends.
func (d *Daemon) work(ctx context.Context, lock *store.Lock) (err error) {
	defer func() {
		if err != nil {
			d.failure = err
			close(d.failed)
			d.stop()
		}
	}()
	usualGC := debug.SetGCPercent(openingGC)
	d.recall = &recall.Recall{}
	d.embedding = newEmbedding(d.home, d.settings, nil, d.recall, d.log)
	defer d.embedding.close()
	var aside sync.WaitGroup // reads what else there is while the store is scanned
	aside.Go(func() { d.usage = openUsage(d.home, d.log) })
	aside.Go(func() { d.embedding.begin(ctx) })
	defer aside.Wait()
	if d.store, err = store.Open(lock, d.log); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.store.Close()) }()
	if d.index, err = index.Open(filepath.Join(d.home, "index"), d.log); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.index.Close()) }()
	aside.Wait()

	d.follower = newFollower(d.store, d.index, d.log)
	d.recall.Store, d.recall.Index = d.store, d.index
	d.embedding.store = d.store
	d.writer = newWriter(d.store, d.follower, d.embedding, d.log)
	d.consolidation = newConsolidation(d.store, d.writer, d.log)
	d.retention = newRetention(d.home, d.settings, d.store, d.writer, d.usage, d.tally, d.log)
	d.capture = capture.New(filepath.Join(d.home, "sessions"), d.store, d.writer.append)
	if d.capture.Forgotten, err = capture.OpenForgotten(filepath.Join(d.home, "forgotten.jsonl")); err != nil {
		return err
	}
	d.refinement = newRefinement(d.capture, d.settings, d.project, d.log)
	debug.SetGCPercent(usualGC)
	close(d.ready)
	return d.keep(ctx)
}

// keep writes, follows and does chores until ctx ends; then it lets what was
// acknowledged reach its place: those who do it end one after the other, so
// that each can finish what the one before it left.
func (d *Daemon) keep(ctx context.Context) error {
	consolidating, stopConsolidating := context.WithCancel(context.WithoutCancel(ctx))
	writing, stopWriting := context.WithCancel(context.WithoutCancel(ctx))
	following, stopFollowing := context.WithCancel(context.WithoutCancel(ctx))
	embedding, stopEmbedding := context.WithCancel(context.WithoutCancel(ctx))
	var g errgroup.Group
	g.Go(func() error {
		defer stopConsolidating()
		d.doChores(ctx)
		return nil
	})
	g.Go(func() error {
		d.retention.run(ctx)
		return nil
	})
	g.Go(func() error {
		d.refinement.run(ctx)
		return nil
	})
	g.Go(func() error {
		defer stopWriting()
		d.consolidation.run(consolidating)
		return nil
	})
	g.Go(func() error {
		defer stopFollowing()
		d.writer.run(writing)
		return nil
	})
	g.Go(func() error {
		defer d.stop()
		defer stopEmbedding()
		return d.follower.run(following)
	})
	g.Go(func() error { return d.embedding.run(embedding) })
	return g.Wait()
}

// parts waits until the store and the index are open, or cannot be.
func (d *Daemon) parts(ctx context.Context) error {
	select {
	case <-d.ready:
		return nil
	case <-d.failed:
		return d.failure
	case <-ctx.Done():
		return ctx.Err()
	}
}
