package bench

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"

	"recollect/internal/config"
	"recollect/internal/embed"
	"recollect/internal/index"
	"recollect/internal/memory"
	"recollect/internal/recall"
	"recollect/internal/store"
)

// batch is the number of memories that are stored and indexed at a time.
const batch = 1000

// A home is a temporary data folder for a benchmark, with everything that the
// daemon would have open in it.
type home struct {
	dir     string
	lock    *store.Lock
	store   *store.Store
	index   *index.Index
	vectors *recall.Vectors // nil when the embedder is off
	recall  *recall.Recall
}

// openHome opens an empty home in a temporary folder.
func openHome(ctx context.Context, settings config.Settings, log *slog.Logger) (*home, error) {
	dir, err := os.MkdirTemp("", "recollect-bench-")
	if err != nil {
		return nil, fmt.Errorf("create a data folder: %w", err)
	}
	h := &home{dir: dir}
	if err := h.open(ctx, settings, log); err != nil {
		return nil, errors.Join(err, h.close())
	}
	return h, nil
}

// open connects the parts of a recall in the same way as the daemon.
func (h *home) open(ctx context.Context, settings config.Settings, log *slog.Logger) (err error) {
	if h.lock, err = store.Acquire(h.dir); err != nil {
		return err
	}
	if h.store, err = store.Open(h.lock, log); err != nil {
		return err
	}
	if h.index, err = index.Open(filepath.Join(h.dir, "index"), log); err != nil {
		return err
	}
	h.recall = &recall.Recall{Store: h.store, Index: h.index}
	e, err := embed.Open(settings.Embedder, log)
	if err != nil || e.Off() {
		return err
	}
	if h.vectors, err = recall.OpenVectors(ctx, filepath.Join(h.dir, "vectors"), e, log); err != nil {
		return errors.Join(err, e.Close())
	}
	h.recall.UseVectors(h.vectors)
	return nil
}

// put stores memories and indexes them. It sets their ids.
func (h *home) put(ctx context.Context, ms []memory.Memory) error {
	for len(ms) > 0 {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		n := min(batch, len(ms))
		if err := h.store.Append(ms[:n]...); err != nil {
			return err
		}
		if err := h.index.Update(ms[:n], nil, nil); err != nil {
			return err
		}
		if h.vectors != nil {
			if err := h.vectors.Update(ctx, ms[:n], nil, nil); err != nil {
				return err
			}
		}
		ms = ms[n:]
	}
	return nil
}

// close closes everything that is open and removes the folder.
func (h *home) close() error {
	var errs []error
	if h.vectors != nil {
		errs = append(errs, h.vectors.Close())
	}
	if h.index != nil {
		errs = append(errs, h.index.Close())
	}
	if h.store != nil {
		errs = append(errs, h.store.Close())
	}
	if h.lock != nil {
		errs = append(errs, h.lock.Release())
	}
	return errors.Join(append(errs, os.RemoveAll(h.dir))...)
}
