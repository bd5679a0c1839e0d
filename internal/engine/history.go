package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/lists"
	"recollect/internal/engine/usage"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
)

// Timeline returns a page of memories by time.
func (e *Engine) Timeline(ctx context.Context, in api.Moments) (api.Timeline, error) {
	ids, out, err := lists.Timeline(e.Store, in, bound(in.Limit))
	if err != nil {
		return out, err
	}
	out.Memories = []api.Shown{}
	for _, id := range ids {
		m, err := e.Store.Get(id)
		if errors.Is(err, store.ErrNotFound) {
			continue // forgotten meanwhile
		}
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return out, err
		}
		out.Memories = append(out.Memories, e.shown(m))
	}
	return out, nil
}

// Sessions returns a page of the sessions into which memories were injected.
func (e *Engine) Sessions(_ context.Context, in api.Moments) (api.Sessions, error) {
	counts := map[string]*api.SessionCount{}
	for _, line := range e.usage.Since(time.Time{}) {
		id, _, _ := memory.SplitAgentID(line.Session)
		if counts[id] == nil {
			counts[id] = &api.SessionCount{ID: id}
		}
		counts[id].Add(line.At, line.Tokens, line.Used)
	}
	all := make([]api.SessionCount, 0, len(counts))
	for _, c := range counts {
		all = append(all, *c)
	}
	out := api.Sessions{Total: len(all)}
	var err error
	out.Sessions, out.Next, err = lists.Page(all, in.Before, bound(in.Limit),
		func(c api.SessionCount) (time.Time, string) { return c.Last, c.ID })
	for i := range out.Sessions {
		e.describe(&out.Sessions[i])
	}
	return out, err
}

// Session returns what was injected into a session.
func (e *Engine) Session(_ context.Context, id string) (api.SessionUse, error) {
	out := api.SessionUse{SessionCount: api.SessionCount{ID: id}, Events: []api.Event{}}
	lines := e.usage.OfSession(id)
	if len(lines) == 0 {
		return out, fmt.Errorf("session %q: nothing was injected into it: %w", id, store.ErrNotFound)
	}
	prompts := e.prompts(id)
	for _, line := range lines {
		out.Add(line.At, line.Tokens, line.Used)
		_, agent, _ := memory.SplitAgentID(line.Session)
		last := len(out.Events) - 1
		if last < 0 || !out.Events[last].At.Equal(line.At) || out.Events[last].Name != line.Event || out.Events[last].Agent != agent {
			event := api.Event{Name: line.Event, At: line.At, Agent: agent}
			if line.Event != usage.StartEvent {
				event.Prompt = promptAt(prompts, line.At, line.Event == usage.PromptEvent)
			}
			out.Events = append(out.Events, event)
			last++
		}
		src, _ := memory.SourceOf(line.ID)
		use := api.Use{ID: line.ID, Source: src, Tokens: line.Tokens, Used: line.Used}
		if m, err := e.Store.Get(line.ID); err == nil {
			use.Title = m.Title
		}
		out.Events[last].Memories = append(out.Events[last].Memories, use)
	}
	e.describe(&out.SessionCount)
	if s, known := e.sessions.Find(id); known {
		s.Lock()
		out.Cwd = s.Cwd
		s.Unlock()
	}
	return out, nil
}

// describe adds topic and project of a session: those of its handoff, or of its first memory.
func (e *Engine) describe(c *api.SessionCount) {
	id := clean.ID(c.ID)
	for _, turn := range e.Store.Turns([]string{id})[id] {
		for _, known := range turn {
			m, err := e.Store.Get(known)
			if err != nil {
				continue
			}
			c.Project = cmp.Or(c.Project, m.Project)
			if m.Source == memory.Handoffs {
				c.Topic = m.Title
				return
			}
			if m.Source == memory.Episodes && m.Agent == "" {
				c.Topic = cmp.Or(c.Topic, m.Title)
			}
		}
	}
}

// prompts returns the turns of a session that are remembered, in the order of time.
func (e *Engine) prompts(id string) []memory.Memory {
	id = clean.ID(id)
	var out []memory.Memory
	for _, turn := range e.Store.Turns([]string{id})[id] {
		for _, known := range turn {
			if src, _ := memory.SourceOf(known); src != memory.Episodes {
				continue
			}
			if m, err := e.Store.Get(known); err == nil && m.Agent == "" {
				out = append(out, m)
			}
		}
	}
	slices.SortFunc(out, func(a, b memory.Memory) int { return a.OccurredAt.Compare(b.OccurredAt) })
	return out
}

// samePrompt is how far apart a prompt's injection and its record in the transcript are at most.
const samePrompt = 5 * time.Second

// promptAt returns the prompt at which something was injected: at a prompt's own event the one
// that was recorded nearest, at another event the last one before it; "" if it is not remembered.
func promptAt(prompts []memory.Memory, at time.Time, own bool) string {
	found, nearest := "", samePrompt
	for _, m := range prompts {
		apart := m.OccurredAt.Sub(at)
		if own && apart.Abs() > nearest || !own && apart > 0 {
			continue
		}
		found, nearest = cmp.Or(m.Evidence, m.Title), apart.Abs() // the title of a turn is not always its prompt
	}
	return found
}

// Days returns the numbers of each day.
func (e *Engine) Days(_ context.Context, in api.Period) (api.Days, error) {
	days := e.tally.Days(in.Since)
	for _, line := range e.usage.Since(in.Since) {
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
