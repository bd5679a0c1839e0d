package engine

import (
	"cmp"
	"context"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/api/explain"
	"recollect/internal/engine/sessions"
	"recollect/internal/memory"
	"recollect/internal/recall"
	"recollect/internal/recall/block"
	"recollect/internal/text/prose"
)

// maxRecalledPrompt is how much of a prompt is remembered with a request, in bytes.
const maxRecalledPrompt = 200

// With a request, so many memories are remembered, each with what was injected of it, in bytes: a wide terminal shows it.
const (
	maxNamed = 3
	maxTitle = 160
)

// Recalls returns what came last of a session's prompts or its start, or of the requests after a number.
// It waits for one if that is asked for, until ctx ends.
func (e *Engine) Recalls(ctx context.Context, in api.AskRecalls) (api.Recalls, error) {
	if in.Session != "" {
		return e.lastRecall(in.Session), nil
	}
	out, more := e.recent.After(in.After)
	defer func() { e.addVerdicts(out.Recalls) }()
	if len(out.Recalls) > 0 || in.Wait <= 0 {
		return out, nil
	}
	timer := time.NewTimer(in.Wait)
	defer timer.Stop()
	select {
	case <-more:
	case <-timer.C:
	case <-ctx.Done():
	}
	out, _ = e.recent.After(out.Next)
	return out, nil
}

// lastRecall returns what came of the last prompt of a session, or of its start until a prompt brings something, if
// anything is known of it.
func (e *Engine) lastRecall(session string) api.Recalls {
	out := api.Recalls{Recalls: []api.Recalled{}}
	s, known := e.sessions.Find(session)
	if !known {
		out.Paused = e.pauses.Now(session, memory.Project{})
		return out
	}
	s.Lock()
	defer s.Unlock()
	out.Paused = e.pauses.Now(session, e.Projects.Adopt(s.Cwd))
	if found := cmp.Or(s.Began, s.Recalled); found != nil {
		last := *found
		last.Named = e.recent.NamedAt(session, last.At)
		out.Recalls = append(out.Recalls, last)
	}
	return out
}

// noteRecall remembers what came of a request for a session that began at of.At. If nothing was injected, and of does
// not say why, the explanation does. It returns the part of that which is stored with the session.
func (e *Engine) noteRecall(s *sessions.Session, of api.Recalled, res recall.Result, err error) *api.Recalled {
	of.Took = float64(time.Since(of.At).Microseconds()) / 1000
	of.Prompt = clipPrompt(of.Prompt)
	switch {
	case err != nil:
		of.Why = err.Error()
	case len(res.Injected) == 0:
		res.Explanation.Session = &api.SessionState{Injected: s.InjectedIDs()}
		of.Why = cmp.Or(of.Why, explain.WhyNothing(res.Explanation))
	default:
		of.Injected, of.Tokens, of.Why = len(res.Injected), block.Tokens(res.Context), ""
		for _, m := range res.Injected[:min(len(res.Injected), maxNamed)] {
			of.Named = append(of.Named, api.Title{ID: m.ID, Source: m.Source, Title: prose.ClipWords(block.Says(m.Text, 2*maxTitle), maxTitle)})
		}
	}
	e.recent.Add(of)
	return &api.Recalled{At: of.At.UTC(), Event: of.Event, Injected: of.Injected, Tokens: of.Tokens, Took: of.Took}
}

// clipPrompt returns as much of a prompt as is remembered with a request, on a line.
func clipPrompt(prompt string) string {
	return memory.Clip(strings.Join(strings.Fields(prompt), " "), maxRecalledPrompt)
}

// Asked counts a request for memories that ended now, at an event of Claude
// Code: how long it took, how many memories were injected, or why it failed.
func (e *Engine) Asked(now time.Time, event string, took time.Duration, injected int, err error) {
	e.tally.Recalled(now, event, took, injected, err)
}

// partGiven returns as much of a memory as a session was given.
func (e *Engine) partGiven(session string, m memory.Memory) memory.Memory {
	s, ok := e.sessions.Find(session)
	if !ok || !s.TryLock() { // a prompt that is being answered does not wait for this
		return m
	}
	defer s.Unlock()
	return recall.PartGiven(s.Injected, m)
}
