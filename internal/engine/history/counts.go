package history

import (
	"cmp"
	"context"
	"slices"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/usage"
	"recollect/internal/memory"
)

// Stats returns how many memories there are and how they were used in a period.
func (h *History) Stats(_ context.Context, in api.Period) (api.Stats, error) {
	since := in.Since
	out := api.Stats{Since: since, Sources: map[memory.Source]*api.SourceStats{}, Events: map[string]*api.EventStats{}}
	counts := h.store.Counts()
	for _, src := range memory.Sources {
		added, err := h.countAdded(src, since)
		if err != nil {
			return api.Stats{}, err
		}
		out.Sources[src] = &api.SourceStats{Memories: counts[src], Added: added}
	}
	for _, t := range h.usage.Since(since) {
		src, ok := memory.SourceOf(t.ID)
		if !ok {
			continue
		}
		out.Sources[src].Count(t.Tokens, t.Used)
		if t.Event != "" {
			out.Event(t.Event).Count(t.Tokens, t.Used)
		}
	}
	h.tally.Fill(&out, since)
	return out, nil
}

// countAdded counts the memories of a source that were recorded since.
func (h *History) countAdded(src memory.Source, since time.Time) (n int, err error) {
	if since.IsZero() {
		return h.store.Counts()[src], nil
	}
	for m, err := range h.store.Source(src) {
		if err != nil {
			return 0, err
		}
		if !m.RecordedAt.Before(since) {
			n++
		}
	}
	return n, nil
}

// Days returns the numbers of each day.
func (h *History) Days(_ context.Context, in api.Period) (api.Days, error) {
	days := h.tally.Days(in.Since)
	for _, line := range h.usage.Since(in.Since) {
		if line.Event != "" {
			usage.DayOf(days, line.At).Event(line.Event).Count(line.Tokens, line.Used)
		}
	}
	out := api.Days{Days: []api.Day{}}
	for _, d := range days {
		out.Days = append(out.Days, *d)
	}
	slices.SortFunc(out.Days, func(a, b api.Day) int { return cmp.Compare(a.Date, b.Date) })
	return out, nil
}
