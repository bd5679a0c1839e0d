// Package daemon serves the engine of one data folder over HTTP. It decides who may use
// the socket, answers the routes, takes over from an older daemon, and ends when it has
// been idle for long.
//
// Run starts every goroutine of the daemon and waits for all of them.
package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"runtime/debug"
	"time"

	"golang.org/x/sync/errgroup"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/daemon/lease"
	"recollect/internal/engine"
	"recollect/internal/store"
	"recollect/internal/store/backup"
	"recollect/internal/system/crash"
	"recollect/internal/system/logkey"
)

// drain is how long requests in flight may still take once the daemon is to end.
const drain = 5 * time.Second

// A Daemon serves one data folder.
type Daemon struct {
	home     string
	version  string
	log      *slog.Logger
	began    time.Time
	settings *config.Live
	lock     *store.Lock
	lease    *lease.Lease
	socket   *socket
	folder   *inspection
	engine   *opening
	idle     *idle
	stop     context.CancelFunc
	died     *crash.Death // how the daemon before this one died, nil if it did not
	readOnly bool         // nothing could be written to home at the start

	plugin      *installation
	executable  string // path of the daemon's own; "" if unknown
	memoryLimit int    // in MiB, in force
}

// Run serves home until ctx ends, a client asks for shutdown, or there has been no request
// for the configured time. It returns nil at once if a daemon of this version or a newer
// one serves home already.
func Run(ctx context.Context, home, version string, log *slog.Logger) error {
	if err := api.MakePrivate(home); err != nil {
		return err
	}
	var inspected inspection
	if err := inspected.inspect(home, log); err != nil {
		return err
	}
	if err := lease.Locks(home); err != nil {
		return err
	}
	lock, err := takeOver(ctx, home, version)
	if lock == nil {
		if err == nil || ctx.Err() != nil {
			os.Remove(api.GuardPath(home)) // this daemon has not failed: if the other one ends, a client may start one
		}
		return err
	}
	defer lock.Release()
	return serve(ctx, home, version, log, lock, &inspected)
}

// serve serves home, whose lock the caller holds, until ctx ends or the daemon is to end.
func serve(ctx context.Context, home, version string, log *slog.Logger, lock *store.Lock, inspected *inspection) error {
	died := watchForCrash(home, version, log)
	defer crash.Unwatch()
	tenure, err := lease.Take(home, time.Now())
	if err != nil {
		return err
	}
	defer tenure.Release()
	if undone, err := backup.Recover(home); err != nil {
		return err
	} else if undone {
		log.Warn("a restore was interrupted, and is undone", logkey.Home, home)
	}

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	d, err := newDaemon(home, version, log, stop)
	if err != nil {
		return err
	}
	if d.socket, err = listen(home); err != nil {
		return err
	}
	d.died = died
	d.lock, d.lease, d.folder, d.readOnly = lock, tenure, inspected, !isWritable(home)
	d.limitMemory()
	defer d.socket.remove()
	os.Remove(api.GuardPath(home))
	log.Info("serving", logkey.Home, home, logkey.Version, version, logkey.Socket, d.socket.path)
	err = d.runServer(ctx)
	log.Info("ended", logkey.Error, err)
	return err
}

func newDaemon(home, version string, log *slog.Logger, stop context.CancelFunc) (*Daemon, error) {
	settings, err := config.NewLive(home, os.Environ())
	if err != nil {
		return nil, err
	}
	executable, _ := os.Executable() // only to notice its removal
	return &Daemon{
		home:       home,
		version:    version,
		log:        log,
		began:      time.Now(),
		settings:   settings,
		engine:     newOpening(),
		idle:       newIdle(),
		stop:       stop,
		plugin:     newInstallation(),
		executable: executable,
	}, nil
}

// runServer serves requests and opens the engine, for which the first requests wait.
func (d *Daemon) runServer(ctx context.Context) error {
	server := &http.Server{
		Handler:           d.whileReachable(d.handler(ctx)),
		ReadHeaderTimeout: drain,
		ReadTimeout:       drain,
		ErrorLog:          slog.NewLogLogger(d.log.Handler(), slog.LevelWarn),
	}
	g, gctx := errgroup.WithContext(ctx)
	g.Go(func() error {
		if err := server.Serve(d.socket); !errors.Is(err, http.ErrServerClosed) {
			return fmt.Errorf("serve: %w", err)
		}
		return nil
	})
	// The engine works on until the requests in flight are answered.
	working, stopWorking := context.WithCancel(context.WithoutCancel(gctx))
	g.Go(func() error { return d.runEngine(working) })
	g.Go(func() error {
		d.idle.wait(gctx, d.idleExit)
		d.stop()
		return nil
	})
	g.Go(func() error {
		d.watchFolder(gctx)
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

// runEngine opens the engine, then runs it until ctx ends.
func (d *Daemon) runEngine(ctx context.Context) (err error) {
	debug.SetGCPercent(openingGC)
	e, err := engine.Open(ctx, d.home, d.lock, d.settings, d.log)
	debug.SetGCPercent(servingGC)
	if err == nil {
		e.LeaveOut(d.version, d.diedReading())
	}
	d.engine.resolve(e, err)
	if err != nil {
		d.stop()
		return err
	}
	return errors.Join(e.Run(ctx, d.stop), e.Close())
}
