// Package history answers what people look up of the past: memories by time, by source and around a
// thing; the sessions that memories were injected into; and how often, and how fast.
package history

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/lists"
	"recollect/internal/engine/projects"
	"recollect/internal/engine/sessions"
	"recollect/internal/engine/usage"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/store"
)

// History looks up. New is the only way to make one.
type History struct {
	store    *store.Store
	usage    *usage.Log
	tally    *usage.Tally
	sessions *sessions.Sessions
	projects *projects.Projects
}

// New returns the history of what these have.
func New(s *store.Store, u *usage.Log, t *usage.Tally, ss *sessions.Sessions, p *projects.Projects) *History {
	return &History{store: s, usage: u, tally: t, sessions: ss, projects: p}
}

// Timeline returns a page of memories by time.
func (h *History) Timeline(ctx context.Context, in api.Moments) (api.Timeline, error) {
	ids, out, err := lists.Timeline(h.store, in, lists.Bound(in.Limit))
	if err != nil {
		return out, err
	}
	out.Memories = []api.Shown{}
	for _, id := range ids {
		m, err := h.store.Get(id)
		if errors.Is(err, store.ErrNotFound) {
			continue // forgotten meanwhile
		}
		if err := cmp.Or(err, ctx.Err()); err != nil {
			return out, err
		}
		out.Memories = append(out.Memories, lists.Show(h.store, m))
	}
	return out, nil
}

// Sessions returns a page of the sessions into which memories were injected.
func (h *History) Sessions(_ context.Context, in api.Moments) (api.Sessions, error) {
	counts := map[string]*api.SessionCount{}
	for _, line := range h.usage.Since(time.Time{}) {
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
	out.Sessions, out.Next, err = lists.Page(all, in.Before, lists.Bound(in.Limit),
		func(c api.SessionCount) (time.Time, string) { return c.Last, c.ID })
	for i := range out.Sessions {
		h.describeSession(&out.Sessions[i])
	}
	return out, err
}

// Session returns what was injected into a session.
func (h *History) Session(_ context.Context, id string) (api.SessionUse, error) {
	out := api.SessionUse{SessionCount: api.SessionCount{ID: id}, Events: []api.Event{}}
	lines := h.usage.OfSession(id)
	if len(lines) == 0 {
		return out, fmt.Errorf("session %q: nothing was injected into it: %w", id, store.ErrNotFound)
	}
	turns := h.readTurns(id)
	for _, line := range lines {
		out.Add(line.At, line.Tokens, line.Used)
		event := eventOf(line)
		if last := len(out.Events) - 1; last < 0 || !isSameEvent(&out.Events[last], &event) {
			if line.Event != usage.StartEvent {
				event.Prompt = promptAt(turns, line.At, line.Event == usage.PromptEvent)
			}
			out.Events = append(out.Events, event)
		}
		last := &out.Events[len(out.Events)-1]
		last.Memories = append(last.Memories, h.useOf(line))
	}
	h.describeSession(&out.SessionCount)
	if s, known := h.sessions.Find(id); known {
		s.Lock()
		out.Cwd = s.Cwd
		s.Unlock()
	}
	return out, nil
}

// eventOf returns the event at which something was injected, without the memories.
func eventOf(line usage.Injection) api.Event {
	_, agent, _ := memory.SplitAgentID(line.Session)
	return api.Event{Name: line.Event, At: line.At, Agent: agent}
}

func isSameEvent(a, b *api.Event) bool {
	return a.At.Equal(b.At) && a.Name == b.Name && a.Agent == b.Agent
}

// useOf returns which memory was injected, and whether it was used.
func (h *History) useOf(line usage.Injection) api.Use {
	src, _ := memory.SourceOf(line.ID)
	use := api.Use{ID: line.ID, Source: src, Tokens: line.Tokens, Used: line.Used, Verdict: h.usage.Verdicts.Of(line.ID).Says}
	if m, err := h.store.Get(line.ID); err == nil {
		use.Title = m.Title
	}
	return use
}

// describeSession adds topic and project of a session: those of its handoff, or of its first memory.
func (h *History) describeSession(c *api.SessionCount) {
	id := clean.ID(c.ID)
	for _, turn := range h.store.Turns([]string{id})[id] {
		for _, known := range turn {
			m, err := h.store.Get(known)
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

// readTurns returns the turns of a session that are remembered, in the order of time.
func (h *History) readTurns(id string) []memory.Memory {
	id = clean.ID(id)
	var out []memory.Memory
	for _, turn := range h.store.Turns([]string{id})[id] {
		for _, known := range turn {
			if src, _ := memory.SourceOf(known); src != memory.Episodes {
				continue
			}
			if m, err := h.store.Get(known); err == nil && m.Agent == "" {
				out = append(out, m)
			}
		}
	}
	slices.SortFunc(out, func(a, b memory.Memory) int { return a.OccurredAt.Compare(b.OccurredAt) })
	return out
}

// samePrompt is how far a prompt's injection is from its record in the transcript at most.
const samePrompt = 5 * time.Second

// promptAt returns the prompt at which something was injected: at a prompt's own event the one
// that was recorded nearest, at another event the last one before it; "" if it is not remembered.
func promptAt(prompts []memory.Memory, at time.Time, own bool) string {
	found, nearest := "", samePrompt
	for _, m := range prompts {
		distance := m.OccurredAt.Sub(at)
		if own && distance.Abs() > nearest {
			continue
		}
		if !own && distance > 0 {
			continue
		}
		found, nearest = cmp.Or(m.Evidence, m.Title), distance.Abs() // the title of a turn is not always its prompt
	}
	return found
}
