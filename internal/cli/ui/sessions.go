package ui

import (
	"context"
	"errors"
	"net/http"
	"net/url"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// A sessionsPage is a page of past sessions.
type sessionsPage struct {
	api.Sessions
	Next string // address of the next page
}

// showSessions shows the sessions into which memories were injected.
func (s *Server) showSessions(r *http.Request) (view, error) {
	in := api.Moments{Before: r.URL.Query().Get("before"), Limit: pageSize}
	list, err := ask(s, r.Context(), api.With((*api.Client).Sessions, in))
	p := sessionsPage{Sessions: list}
	if list.Next != "" {
		p.Next = "/sessions?" + url.Values{"before": {list.Next}}.Encode()
	}
	return view{Title: "Sessions", Main: p}, err
}

// explainedEvents is how many prompts of a session are explained again.
const explainedEvents = 20

// A sessionPage shows what was injected into a session.
type sessionPage struct {
	api.SessionUse
	Events []sessionEvent
}

// A sessionEvent is an api.Event with the address of its explanation.
type sessionEvent struct {
	api.Event
	Explain string
	Why     map[string]candidate // how each memory is ranked today, by id
}

// showSession shows what was injected into a session, at which prompt, and whether it was used. The
// reasons are not recorded, so it explains the prompts again, without memories of the session itself.
func (s *Server) showSession(r *http.Request) (view, error) {
	use, err := ask(s, r.Context(), api.With((*api.Client).Session, r.PathValue("id")))
	var refused *api.StatusError
	if errors.As(err, &refused) && refused.Status == http.StatusNotFound {
		use.ID, err = r.PathValue("id"), nil // nothing was injected into it, or it was too long ago
	}
	if err != nil {
		return view{}, err
	}
	p := sessionPage{SessionUse: use}
	explained := 0
	for _, e := range use.Events {
		shown := sessionEvent{Event: e, Why: map[string]candidate{}}
		if e.Prompt != "" && e.Name == promptEvent {
			in := api.Prompt{Prompt: e.Prompt, Cwd: use.Cwd, Own: use.ID}
			shown.Explain = "/?" + url.Values{"q": {in.Prompt}, "dir": {in.Cwd}, "own": {in.Own}}.Encode()
			if explained++; explained <= explainedEvents {
				if err := s.explainEvent(r.Context(), in, &shown); err != nil {
					return view{}, err
				}
			}
		}
		p.Events = append(p.Events, shown)
	}
	return view{Title: "Session", Main: p}, nil
}

// sessionOf returns the session that an event belongs to, or that of its sub-agent.
func sessionOf(session, agent string) string {
	if agent == "" {
		return session
	}
	return memory.AgentID(session, agent)
}

// explainEvent adds how the memories of an event are ranked today.
func (s *Server) explainEvent(ctx context.Context, in api.Prompt, to *sessionEvent) error {
	e, err := ask(s, ctx, api.With((*api.Client).Explain, in))
	if err != nil {
		return err
	}
	for _, c := range e.Candidates {
		for _, m := range to.Memories {
			if m.ID == c.ID {
				to.Why[c.ID] = shownAs(c)
			}
		}
	}
	return nil
}
