package embed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"recollect/internal/system/logkey"
)

// restAfterFailure is the time during which prompts do not ask a backend after
// a failure. A dead backend therefore delays one prompt by its deadline and
// the others not at all.
const restAfterFailure = 10 * time.Second

// maxTimeouts is the number of consecutive prompts without an answer in time
// after which a late answer no longer ends the rest: the backend is then not
// starting, but slow.
const maxTimeouts = 3

// health records the outcomes of a backend's recent calls.
type health struct {
	log *slog.Logger

	mu            sync.Mutex
	asked         bool
	err           error     // error of the last call, nil if it succeeded
	since         time.Time // of the first failure in a row
	until         time.Time // when prompts may ask again
	timeouts      int       // consecutive prompts without an answer in time
	refusalLogged bool      // whether the refusal of a text was logged
}

// record records the outcome of a call. inTime says that a prompt was still
// waiting when the call ended, or stopped waiting because it took too long.
func (h *health) record(now time.Time, err error, inTime bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case err != nil:
		h.failed(now, err, inTime)
	case inTime || h.timeouts < maxTimeouts:
		h.fine(inTime)
	}
	h.asked = true
}

func (h *health) failed(now time.Time, err error, inTime bool) {
	if h.err == nil {
		h.since = now
		h.log.Warn("embedder fails, recall uses words alone", logkey.Error, err)
	}
	h.err, h.until = err, now.Add(restAfterFailure)
	switch slow := errors.Is(err, context.DeadlineExceeded); {
	case !slow:
		h.timeouts = 0
	case inTime:
		h.timeouts++
	}
}

func (h *health) fine(inTime bool) {
	if h.err != nil {
		h.log.Info("embedder works again")
	}
	h.err, h.until = nil, time.Time{}
	if inTime {
		h.timeouts = 0
	}
}

// refused logs the first text that has no vector because the backend fails for
// this text alone.
func (h *health) refused(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.refusalLogged {
		h.refusalLogged = true
		h.log.Warn("embedder refuses a text, which is found by its words only; further refusals are not logged", logkey.Error, err)
	}
}

// resting returns an error while prompts may not ask.
func (h *health) resting(now time.Time) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.err == nil || !now.Before(h.until) {
		return nil
	}
	return fmt.Errorf("not asked again for %v: %w", h.until.Sub(now).Round(time.Second), h.err)
}

func (h *health) status() (string, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case h.err != nil:
		return "failing since " + h.since.Format(time.DateTime), h.err
	case !h.asked:
		return "not asked yet", nil
	}
	return "ready", nil
}
