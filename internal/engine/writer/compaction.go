package writer

import (
	"context"
	"fmt"
	"time"

	"recollect/internal/memory"
	"recollect/internal/system/logkey"
)

const (
	// tidyAfter is how long the logs must be quiet before they are compacted.
	tidyAfter = 2 * time.Second
	// A log is compacted when more than half of it is dead, from this size on.
	minDead = 1 << 20
)

// scrubLogs compacts every log that has something to remove.
func (w *Writer) scrubLogs(s scrub) error {
	if err := w.store.Scrub(s.line); err != nil {
		return err
	}
	for src, g := range w.store.Garbage() {
		if g.Forgotten == 0 && !(s.replaced && g.Dead > 0) {
			continue
		}
		w.wakeFollowers()
		if err := w.compactLog(context.Background(), src); err != nil {
			return err
		}
	}
	return nil
}

// compactDead compacts the logs that hold the words of forgotten memories, and those that are
// mostly dead. Nothing else writes meanwhile, so once the index is up to date it stays
// so, and only needs the new marks. It reports false when something remains to be done.
func (w *Writer) compactDead(ctx context.Context) bool {
	done := true
	for src, g := range w.store.Garbage() {
		if g.Forgotten == 0 && (g.Dead < minDead || g.Dead < g.Bytes/2) {
			continue
		}
		if err := w.compactLog(ctx, src); err != nil {
			w.log.Warn("compact", logkey.Source, src, logkey.Error, err)
			done = false
		}
	}
	return done
}

func (w *Writer) compactLog(ctx context.Context, src memory.Source) error {
	ctx, cancel := context.WithTimeout(ctx, tidyAfter)
	defer cancel()
	if err := w.index.CaughtUp(ctx); err != nil {
		return fmt.Errorf("wait for the index: %w", err)
	}
	before := w.store.Marks()
	if err := w.vectors.Rebase(ctx, func() error { return w.store.Compact(src) }); err != nil {
		return err
	}
	return w.index.Rebase(ctx, before)
}
