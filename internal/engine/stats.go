package engine

import (
	"context"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// Asked counts a request for memories that ended now, at an event of Claude
// Code: how long it took, how many memories were injected, or why it failed.
func (e *Engine) Asked(now time.Time, event string, took time.Duration, injected int, err error) {
	e.tally.Recalled(now, event, took, injected, err)
}

// Stats returns how many memories there are and how they were used in a period.
func (e *Engine) Stats(_ context.Context, in api.Period) (api.Stats, error) {
	since := in.Since
	out := api.Stats{Since: since, Sources: map[memory.Source]*api.SourceStats{}, Events: map[string]*api.EventStats{}}
	counts := e.Store.Counts()
	for _, src := range memory.Sources {
		added, err := e.added(src, since)
		if err != nil {
			return api.Stats{}, err
		}
		out.Sources[src] = &api.SourceStats{Memories: counts[src], Added: added}
	}
	for _, t := range e.usage.Since(since) {
		src, ok := memory.SourceOf(t.ID)
		if !ok {
			continue
		}
		out.Sources[src].Count(t.Tokens, t.Used)
		if t.Event != "" {
			out.Event(t.Event).Count(t.Tokens, t.Used)
		}
	}
	e.tally.Fill(&out, since)
	return out, nil
}

// added counts the memories of a source that were recorded since.
func (e *Engine) added(src memory.Source, since time.Time) (n int, err error) {
	if since.IsZero() {
		return e.Store.Counts()[src], nil
	}
	for m, err := range e.Store.Source(src) {
		if err != nil {
			return 0, err
		}
		if !m.RecordedAt.Before(since) {
			n++
		}
	}
	return n, nil
}
