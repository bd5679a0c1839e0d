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

// restAfterFailure is the time after a failure during which prompts do not ask a backend. A dead backend
// thus delays one prompt by its deadline and the others not at all.
const restAfterFailure = 10 * time.Second

// maxTimeouts is the number of consecutive prompts without a timely answer after which a late answer no
// longer ends the rest. The backend is then slow, not starting.
const maxTimeouts = 3

// health records the outcomes of a backend's recent calls.
type health struct {
	log *slog.Logger

	mu            sync.Mutex
	asked         bool
	err           error     // error of the last call, nil if it succeeded
	since         time.Time // of the first failure in a row
	until         time.Time // prompts may ask again after this time
	timeouts      int       // consecutive prompts without a timely answer
	refusalLogged bool      // whether the refusal of a text was logged
}

// record records the outcome of a call. inTime says that a prompt was still waiting when the call ended,
// or stopped waiting because the call took too long.
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

// refused logs the first text for which alone the backend fails.
func (h *health) refused(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.refusalLogged {
		h.refusalLogged = true
		h.log.Warn("embedder refuses a text, which is found by its words only; further refusals are not logged", logkey.Error, err)
	}
}

// resting returns an error while prompts may not ask the backend.
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
