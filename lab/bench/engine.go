package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"time"

	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/memory"
	"recollect/internal/store"
)

// A tempEngine is an engine over a temporary data folder. Once filled, its memories do not change.
type tempEngine struct {
	*engine.Engine
	dir  string
	lock *store.Lock

	memories []memory.Memory
	newest   time.Time         // time of the newest memory
	docs     map[string]string // ids of a collection's documents, by memory
	skipped  int               // unreadable lines of transcripts
}

// openEngine opens an engine in a temporary folder and calls fill to store its memories. It returns when
// all of them can be found.
func openEngine(ctx context.Context, settings config.Settings, log *slog.Logger, fill func(context.Context, *tempEngine) error) (*tempEngine, error) {
	dir, err := os.MkdirTemp("", "recollect-bench-")
	if err != nil {
		return nil, fmt.Errorf("create a data folder: %w", err)
	}
	e := &tempEngine{dir: dir}
	if e.lock, err = store.Acquire(dir); err == nil {
		e.Engine, err = engine.Open(ctx, dir, e.lock, config.Fixed(settings), log)
	}
	if err == nil {
		err = e.fill(ctx, fill)
	}
	if err != nil {
		return nil, errors.Join(err, e.close())
	}
	return e, nil
}

// fill calls fill and runs the engine until the stored memories can be found.
func (e *tempEngine) fill(ctx context.Context, fill func(context.Context, *tempEngine) error) error {
	ctx, stop := context.WithCancel(ctx)
	stored := make(chan error, 1)
	go func() { stored <- e.RunStorage(ctx, stop) }()
	err := fill(ctx, e)
	if err == nil {
		err = e.UpToDate(ctx)
	}
	stop()
	return errors.Join(err, <-stored)
}

// close closes the engine and removes its folder.
func (e *tempEngine) close() error {
	var errs []error
	if e.Engine != nil {
		errs = append(errs, e.Engine.Close())
	}
	if e.lock != nil {
		errs = append(errs, e.lock.Release())
	}
	return errors.Join(append(errs, os.RemoveAll(e.dir))...)
}
