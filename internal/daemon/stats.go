package daemon

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"time"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// timed counts the requests of a route that asks for memories. What has no
// event is none, nor is what the settings have switched off.
func timed[In any](d *Daemon, event func(In) string, call func(context.Context, In) (api.Recollection, error)) func(context.Context, In) (api.Recollection, error) {
	return func(ctx context.Context, in In) (api.Recollection, error) {
		began := time.Now()
		out, err := call(ctx, in)
		name, now := event(in), time.Now()
		if name != "" && (err != nil || !out.Timestamp.IsZero()) {
			d.tally.recalled(now, name, now.Sub(began), len(out.Bites), err)
		}
		return out, err
	}
}

// eventOf returns the event at which a prompt asks, startOf that of a session.
func eventOf(in api.Prompt) string { return cmp.Or(in.Event, promptEvent) }

func startOf(api.Session) string { return startEvent }

// stats tells what memory there is and what came of it.
func (d *Daemon) stats(ctx context.Context, since time.Time) (api.Stats, error) {
	if err := d.parts(ctx); err != nil {
		return api.Stats{}, err
	}
	out := api.Stats{Since: since, Sources: map[memory.Source]*api.SourceStats{}, Events: map[string]*api.EventStats{}}
	counts := d.store.Counts()
	for _, src := range memory.Sources {
		added, err := d.added(src, since)
		if err != nil {
			return api.Stats{}, err
		}
		out.Sources[src] = &api.SourceStats{Memories: counts[src], Added: added}
	}
	for _, t := range d.usage.since(since) {
		src, ok := memory.SourceOf(t.ID)
		if !ok {
			continue
		}
		out.Sources[src].Told(t.Tokens, t.Used)
		if t.Event != "" {
			out.Event(t.Event).Told(t.Tokens, t.Used)
		}
	}
	d.tally.add(&out, since)
	return out, nil
}

// added counts the memories of a source that were recorded since.
func (d *Daemon) added(src memory.Source, since time.Time) (n int, err error) {
	if since.IsZero() {
		return d.store.Counts()[src], nil
	}
	for m, err := range d.store.Source(src) {
		if err != nil {
			return 0, err
		}
		if !m.RecordedAt.Before(since) {
			n++
		}
	}
	return n, nil
}

// sinceQuery reads the beginning of the time that is asked about.
func sinceQuery(r *http.Request) (time.Time, error) {
	text := r.FormValue("since")
	if text == "" {
		return time.Time{}, nil
	}
	since, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return time.Time{}, &badRequest{fmt.Errorf("since %q: must be a time such as 2026-02-01T00:00:00Z", text)}
	}
	return since, nil
}
