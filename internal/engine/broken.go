package engine

import (
	"context"
	"errors"
	"time"

	"recollect/internal/api"
	"recollect/internal/capture"
	"recollect/internal/system/crash"
	"recollect/internal/system/logkey"
)

// LeaveOut has turns that this version cannot read left out and remembered. died says how
// the daemon before this one ended while it read a turn, "" if it did not. It is to be called
// before anything is captured.
func (e *Engine) LeaveOut(version, died string) {
	e.capture.Skips = capture.OpenSkips(e.home, version, died, e.log)
}

// addSkipped adds to h the turns that are left out.
func (e *Engine) addSkipped(h *api.Health) {
	skips := e.capture.Skips.All()
	h.Skipped = len(skips)
	for _, s := range skips {
		h.SkippedTurns = append(h.SkippedTurns, api.SkippedTurn{Session: s.Session, Path: s.Path, Line: s.Line, Reason: s.Reason, At: s.At})
		if len(h.SkippedTurns) <= maxProblems/2 {
			h.AddProblem(api.CaptureProblem, "capture: ", s.Path+": "+s.String())
		}
	}
}

// The pauses after a part of the work behind the requests has panicked: the first, and the longest
// after more in a row.
const (
	firstRest = time.Minute
	lastRest  = time.Hour
)

// runCareful runs a part of the work behind the requests until ctx ends. One that panics is begun
// again after a pause, and the daemon goes on.
func (e *Engine) runCareful(ctx context.Context, what string, run func(context.Context)) {
	for rest := firstRest; e.catchPanic(what, func() { run(ctx) }) && ctx.Err() == nil; rest = min(2*rest, lastRest) {
		select {
		case <-ctx.Done():
		case <-time.After(rest):
		}
	}
}

// catchPanic calls f, a part of the work behind the requests. Where it panics, that part is left
// undone, and the daemon goes on. It reports whether that is so.
func (e *Engine) catchPanic(what string, f func()) (panicked bool) {
	err := crash.Catch(func() error {
		f()
		return nil
	})
	var caught *crash.Error
	if errors.As(err, &caught) {
		e.log.Warn(what, logkey.Error, err, logkey.Stack, caught.Stack)
	}
	return caught != nil
}
