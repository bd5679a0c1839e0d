package upkeep

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path/filepath"
	"slices"
	"time"

	"recollect/internal/capture/extract"
	"recollect/internal/config"
	"recollect/internal/engine/writer"
	"recollect/internal/memory"
	"recollect/internal/store"
	"recollect/internal/system/durable"
	"recollect/internal/system/logkey"
	"recollect/internal/text/consolidate"
)

// reconsiderAfter is how long after its start a daemon judges what earlier versions stored.
const reconsiderAfter = time.Minute

// reconsidered is the content of reconsidered.json.
type reconsidered struct {
	Version int `json:"v"`
}

// Reconsideration judges the decisions and wishes anew that earlier versions took from sessions, once for each version of
// the judgement. What would not stand today becomes a candidate, which approval undoes.
type Reconsideration struct {
	file     *durable.State // reconsidered.json
	settings *config.Live
	store    *store.Store
	writer   *writer.Writer
	log      *slog.Logger
}

// NewReconsideration returns the reconsideration of s. Run judges.
func NewReconsideration(home string, settings *config.Live, s *store.Store, w *writer.Writer, log *slog.Logger) *Reconsideration {
	return &Reconsideration{durable.NewState(filepath.Join(home, "reconsidered.json")), settings, s, w, log}
}

// Newer returns an error if a newer version wrote the file.
func (r *Reconsideration) Newer() error { return r.file.Newer() }

// Run judges what is stored, if this version of the judgement has not yet.
func (r *Reconsideration) Run(ctx context.Context) {
	select {
	case <-ctx.Done():
		return
	case <-time.After(reconsiderAfter):
	}
	var done reconsidered
	if err := r.file.Read(&done); err != nil && !errors.Is(err, fs.ErrNotExist) {
		r.log.Warn("read what was reconsidered", logkey.Error, err)
		return
	}
	if done.Version >= extract.JudgementVersion {
		return
	}
	changed, err := r.All(ctx, false)
	if err == nil {
		err = r.file.Write(reconsidered{extract.JudgementVersion})
	}
	if err != nil {
		r.log.Warn("reconsider", logkey.Error, err)
		return
	}
	r.log.Info("reconsidered", logkey.Changed, len(changed))
}

// All makes candidates of what would not stand today, and returns it as it is then; with dry set it changes nothing. What
// the user reviews was approved, and stays.
func (r *Reconsideration) All(ctx context.Context, dry bool) ([]memory.Memory, error) {
	var changes []consolidate.Change
	for _, src := range []memory.Source{memory.Journal, memory.Preferences} {
		if r.settings.Current().Capture.Reviewed(src) {
			continue
		}
		for m, err := range r.store.Source(src) {
			if err := errors.Join(err, ctx.Err()); err != nil {
				return nil, fmt.Errorf("read %s: %w", src, err)
			}
			if now, ok := extract.Reconsider(m); ok {
				changes = append(changes, consolidate.Change{Was: m, Now: now})
			}
		}
	}
	if !dry && len(changes) > 0 {
		stale, err := r.writer.Amend(ctx, changes)
		if err != nil {
			return nil, err
		}
		changes = slices.DeleteFunc(changes, func(c consolidate.Change) bool { return stale[c.Was.ID] })
	}
	var out []memory.Memory
	for _, c := range changes {
		out = append(out, c.Now)
	}
	return out, nil
}
