package daemon

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"recollect/internal/capture"
	"recollect/internal/capture/model"
	"recollect/internal/config"
	"recollect/internal/finding"
	"recollect/internal/memory"
)

const (
	// refineAfter is how long a session must be quiet before a model reads it:
	// what is asked again meanwhile goes into one question.
	refineAfter = 3 * time.Minute
	// refineAgain is how long a model is left alone after it could not be
	// asked. Each further failure doubles it, up to refineRest.
	refineAgain = 10 * time.Minute
	refineRest  = 2 * time.Hour
)

// refinement has the model of the settings read the sessions that have become
// quiet, after the rules did. It never stands in the way: what fails is logged,
// told by health, and tried again later. What still waits when the daemon ends
// is found by the next one.
type refinement struct {
	capture  *capture.Capture
	settings *config.Live
	project  func(cwd string) memory.Project
	log      *slog.Logger
	looks    *looks

	state sync.Mutex
	err   error         // of the last pass, or nil
	rest  time.Duration // after the last failure in a row, 0 for none
}

func newRefinement(c *capture.Capture, settings *config.Live, project func(string) memory.Project, log *slog.Logger) *refinement {
	return &refinement{capture: c, settings: settings, project: project, log: log, looks: newLooks()}
}

// wanted reports whether the settings ask for a model.
func (r *refinement) wanted() bool {
	return r.settings.Current().Capture.Extractor != config.ExtractorRules
}

// later has a transcript read once it is quiet. Those of sub-agents are not:
// what they found is in what Claude made of it.
func (r *refinement) later(path, reason string, now time.Time) {
	if !r.wanted() || reason == "SubagentStop" {
		return
	}
	if err := r.capture.Await(path); err != nil {
		r.log.Warn("await refinement", "transcript", path, "error", err)
	}
	r.looks.add(look{path: path, due: now.Add(refineAfter)}) // with too many the rest waits for the next daemon
}

// run refines until ctx ends.
func (r *refinement) run(ctx context.Context) {
	if r.wanted() {
		for _, path := range r.capture.Unrefined() {
			r.looks.add(look{path: path, due: time.Now().Add(refineAfter)})
		}
	}
	timer := time.NewTimer(r.looks.wait(time.Now()))
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.looks.wake:
		case <-timer.C:
			r.pass(ctx, time.Now())
		}
		timer.Reset(r.looks.wait(time.Now()))
	}
}

// pass refines what is due, as many sessions at a time as the settings allow.
func (r *refinement) pass(ctx context.Context, now time.Time) {
	settings := r.settings.Current().Capture
	var due []look
	for k, ok := r.looks.take(now); ok; k, ok = r.looks.take(now) {
		due = append(due, k)
	}
	if settings.Extractor == config.ExtractorRules {
		r.note(nil, false)
		return
	}
	if len(due) == 0 {
		return
	}
	m, err := model.Open(settings)
	if err != nil {
		r.settle(due, slices.Repeat([]error{err}, len(due)), now)
		return
	}
	errs := make([]error, len(due))
	var g errgroup.Group
	g.SetLimit(settings.Parallel)
	for i, k := range due {
		g.Go(func() error {
			errs[i] = r.refine(ctx, m, settings, k.path)
			return nil
		})
	}
	g.Wait()
	if ctx.Err() == nil {
		r.settle(due, errs, now)
	}
}

// refine has one session read. One whose transcript is gone has nothing to
// tell.
func (r *refinement) refine(ctx context.Context, m *model.Model, settings config.Capture, path string) error {
	done, err := r.capture.Refine(ctx, capture.Input{Path: path, Ignore: settings.Ignore}, r.project, m.Room(), m.Read)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	r.log.Debug("refined", "transcript", path, "turns", done.Turns, "added", done.Added, "changed", done.Changed, "dropped", done.Skipped)
	return err
}

// settle notes how a pass went. Sessions whose model could not be asked wait
// for another time.
func (r *refinement) settle(read []look, errs []error, now time.Time) {
	var again []look
	for i, err := range errs {
		if err != nil && !errors.Is(err, finding.ErrAnswer) {
			again = append(again, read[i])
		}
	}
	rest := r.note(errors.Join(errs...), len(again) > 0)
	for _, k := range again {
		k.due = now.Add(rest)
		r.looks.add(k)
	}
}

// note keeps how a pass went, and returns how long to leave a model alone that
// could not be asked. The first error in a row is logged.
func (r *refinement) note(err error, failed bool) (rest time.Duration) {
	r.state.Lock()
	defer r.state.Unlock()
	if err != nil && r.err == nil {
		r.log.Warn("a model did not read a session, what the rules found stands", "error", err)
	}
	r.err = err
	if !failed {
		r.rest = 0
		return 0
	}
	r.rest = min(max(2*r.rest, refineAgain), refineRest)
	return r.rest
}

// problem returns what was wrong when sessions were read last, or nil.
func (r *refinement) problem() error {
	r.state.Lock()
	defer r.state.Unlock()
	return r.err
}
