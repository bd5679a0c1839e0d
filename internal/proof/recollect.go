package proof

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/engine"
	"recollect/internal/store"
)

// Recollect is recollect itself, with the shipped settings and a data folder of its own.
type Recollect struct {
	engine *engine.Engine
	lock   *store.Lock
	stop   context.CancelFunc
	ended  chan error
	now    time.Time
}

// OpenRecollect opens a data folder, which it creates. Close closes it. It returns store.ErrLocked if somebody else has
// the folder open.
func OpenRecollect(ctx context.Context, dir string) (*Recollect, error) {
	settings, err := settingsOfReplay()
	if err != nil {
		return nil, err
	}
	lock, err := store.Acquire(dir)
	if err != nil {
		return nil, err
	}
	r := &Recollect{lock: lock, ended: make(chan error, 1)}
	r.engine, err = engine.Open(ctx, dir, lock, config.Fixed(settings), slog.New(slog.DiscardHandler))
	if err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	r.engine.Replay(func() time.Time { return r.now })
	running, stop := context.WithCancel(context.WithoutCancel(ctx))
	r.stop = stop
	go func() { r.ended <- r.engine.RunStorage(running, stop) }()
	return r, nil
}

// settingsOfReplay are the shipped settings. What a team shares is left out, because it is what it is today.
func settingsOfReplay() (config.Settings, error) {
	synonyms, err := config.ParseSynonyms("", "")
	c := config.Default()
	c.Sources.Team.Enabled = false
	return config.Settings{Config: c, Synonyms: &synonyms}, err
}

// Close closes the folder.
func (r *Recollect) Close() error {
	r.stop()
	return errors.Join(<-r.ended, r.engine.Close(), r.lock.Release())
}

// Learn imports transcripts, and has everything compared and found.
func (r *Recollect) Learn(ctx context.Context, transcripts []string) error {
	for _, path := range transcripts {
		for _, file := range withAgents(path) {
			if _, err := r.engine.Import(ctx, api.Import{Path: file}); err != nil {
				return fmt.Errorf("learn from %s: %w", file, err)
			}
		}
	}
	if _, err := r.engine.Consolidate(ctx, api.Consolidate{}); err != nil {
		return err
	}
	return r.engine.UpToDate(ctx)
}

// Say returns what the hook would inject.
func (r *Recollect) Say(ctx context.Context, e Event) (string, error) {
	r.now = e.At
	var out api.Recollection
	var commit engine.Commit
	var err error
	switch e.Event {
	case AtStart, AtCompact:
		reason := map[string]string{AtStart: "startup", AtCompact: "compact"}[e.Event]
		out, commit, err = r.engine.Orient(ctx, api.Session{SessionID: e.Session, TranscriptPath: e.Transcript, Cwd: e.Cwd, Reason: reason})
	case AtPrompt:
		out, commit, err = r.engine.Recollect(ctx, api.Prompt{Prompt: e.Prompt, SessionID: e.Session, Cwd: e.Cwd, TranscriptPath: e.Transcript})
	case AtTool:
		if !slices.Contains(hooked, e.Tool) {
			return "", nil
		}
		out, commit, err = r.engine.Tool(ctx, api.ToolCall{SessionID: e.Session, Cwd: e.Cwd, TranscriptPath: e.Transcript, Tool: e.Tool, Input: e.Input})
	}
	if commit != nil {
		commit(nil)
	}
	return out.Context, err
}
