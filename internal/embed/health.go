package embed

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"
)

// rest is how long prompts do not ask a backend after a failure, so that a
// dead one costs one prompt its deadline and the others nothing.
const rest = 10 * time.Second

// tooSlow is after how many prompts in a row without an answer in time a late
// answer no longer ends the rest: the backend is not starting, it is slow.
const tooSlow = 3

// health remembers how a backend's last calls went.
type health struct {
	log *slog.Logger

	mu    sync.Mutex
	asked bool
	err   error     // of the last call, nil if it was fine
	since time.Time // of the first failure in a row
	until time.Time // when prompts may ask again
	late  int       // prompts in a row that had no answer in time
	told  bool      // that a text was refused
}

func newHealth(log *slog.Logger) *health { return &health{log: log} }

// record notes how a call went. inTime says that a prompt was waiting for it
// when it ended, or left because it took too long.
func (h *health) record(now time.Time, err error, inTime bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch {
	case err != nil:
		h.failed(now, err, inTime)
	case inTime || h.late < tooSlow:
		h.fine(inTime)
	}
	h.asked = true
}

func (h *health) failed(now time.Time, err error, inTime bool) {
	if h.err == nil {
		h.since = now
		h.log.Warn("embedder fails, words answer alone", "error", err)
	}
	h.err, h.until = err, now.Add(rest)
	switch slow := errors.Is(err, context.DeadlineExceeded); {
	case !slow:
		h.late = 0
	case inTime:
		h.late++
	}
}

func (h *health) fine(inTime bool) {
	if h.err != nil {
		h.log.Info("embedder answers again")
	}
	h.err, h.until = nil, time.Time{}
	if inTime {
		h.late = 0
	}
}

// refused logs the first text that has no vector because the backend fails
// with it alone.
func (h *health) refused(err error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if !h.told {
		h.told = true
		h.log.Warn("embedder refuses a text, words alone find it; others that it refuses are not logged", "error", err)
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
