package upkeep

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
	"recollect/internal/capture/finding"
	"recollect/internal/capture/model"
	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/system/crash"
	"recollect/internal/system/logkey"
)

const (
	// refineAfter is how long a session must be quiet before a model reads it, so
	// that several turns go into one question.
	refineAfter = 3 * time.Minute
	// refineAgain is the pause after a model could not be asked. Each further
	// failure doubles it, up to refineRest.
	refineAgain = 10 * time.Minute
	refineRest  = 2 * time.Hour
)

// Refinement lets the model of the settings read the sessions that have become quiet,
// after the rules did. Nothing waits for it: a failure is logged, reported by health,
// and tried again later. What still waits when the daemon ends is found by the next one.
type Refinement struct {
	capture  *capture.Capture
	settings *config.Live
	input    func(path string) capture.Input
	project  func(cwd string) memory.Project
	log      *slog.Logger
	revisits *Revisits

	state sync.Mutex
	err   error         // of the last pass, or nil
	rest  time.Duration // pause after the last failure in a row, 0 for none
}

// NewRefinement returns the refinement of what c captures; input says how a transcript is
// read. Run refines.
func NewRefinement(c *capture.Capture, settings *config.Live, input func(path string) capture.Input, project func(string) memory.Project, log *slog.Logger) *Refinement {
	return &Refinement{capture: c, settings: settings, input: input, project: project, log: log, revisits: NewRevisits()}
}

// isWanted reports whether the settings ask for a model.
func (r *Refinement) isWanted() bool {
	return r.settings.Current().Capture.Asked().IsOn()
}

// Later queues a transcript to be read once it is quiet. Those of sub-agents are left
// out: what they found is in what Claude made of it.
func (r *Refinement) Later(path, reason string, now time.Time) {
	if !r.isWanted() || reason == "SubagentStop" {
		return
	}
	if err := r.capture.Await(path); err != nil {
		r.log.Warn("await refinement", logkey.Transcript, path, logkey.Error, err)
	}
	r.revisits.Add(Revisit{Path: path, Due: now.Add(refineAfter)}) // if the queue is full the next daemon finds it
}

// Run refines until ctx ends.
func (r *Refinement) Run(ctx context.Context) {
	if r.isWanted() {
		for _, path := range r.capture.Unrefined() {
			r.revisits.Add(Revisit{Path: path, Due: time.Now().Add(refineAfter)})
		}
	}
	r.revisits.run(ctx, r.Pass)
}

// Pass refines what is due, as many sessions at a time as the settings allow.
func (r *Refinement) Pass(ctx context.Context, now time.Time) {
	settings := r.settings.Current().Capture
	var due []Revisit
	for k, ok := r.revisits.Take(now); ok; k, ok = r.revisits.Take(now) {
		due = append(due, k)
	}
	if !settings.Asked().IsOn() {
		r.recordPass(nil, false)
		return
	}
	if len(due) == 0 {
		return
	}
	m, err := model.Open(settings.Asked())
	if err != nil {
		r.finishPass(due, slices.Repeat([]error{err}, len(due)), now)
		return
	}
	errs := make([]error, len(due))
	var g errgroup.Group
	g.SetLimit(settings.Parallel)
	for i, k := range due {
		g.Go(func() error {
			errs[i] = crash.Catch(func() error { return r.refine(ctx, m, k.Path) })
			return nil
		})
	}
	g.Wait()
	if ctx.Err() == nil {
		r.finishPass(due, errs, now)
	}
}

// refine lets the model read one session. A missing transcript is no error, nor is one that
// may not be learned from at present.
func (r *Refinement) refine(ctx context.Context, m *model.Model, path string) error {
	done, err := r.capture.Refine(ctx, r.input(path), r.project, m.Room(), m.Read)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, capture.ErrLater) {
		return nil
	}
	r.log.Debug("refined", logkey.Transcript, path, logkey.Turns, done.Turns, logkey.Added, done.Added, logkey.Changed, done.Changed, logkey.Dropped, done.Skipped)
	return err
}

// finishPass records how a pass went, and queues the sessions for which the model could not
// be asked.
func (r *Refinement) finishPass(read []Revisit, errs []error, now time.Time) {
	var again []Revisit
	for i, err := range errs {
		if err != nil && !errors.Is(err, finding.ErrAnswer) {
			again = append(again, read[i])
		}
	}
	rest := r.recordPass(errors.Join(errs...), len(again) > 0)
	for _, k := range again {
		k.Due = now.Add(rest)
		r.revisits.Add(k)
	}
}

// recordPass stores how a pass went, and returns the pause after one in which the model
// could not be asked. It logs the first error in a row.
func (r *Refinement) recordPass(err error, failed bool) (rest time.Duration) {
	r.state.Lock()
	defer r.state.Unlock()
	if err != nil && r.err == nil {
		r.log.Warn("a model did not read a session; what the rules found remains", logkey.Error, err)
	}
	r.err = err
	if !failed {
		r.rest = 0
		return 0
	}
	r.rest = min(max(2*r.rest, refineAgain), refineRest)
	return r.rest
}

// Problem returns the error of the last pass, or nil.
func (r *Refinement) Problem() error {
	r.state.Lock()
	defer r.state.Unlock()
	return r.err
}
