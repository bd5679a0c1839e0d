package engine

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/engine/sessions"
	"recollect/internal/engine/usage"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/recall"
	"recollect/internal/system/logkey"
)

// maxLastPrompt is how much of a prompt is stored for the next one, in bytes.
const maxLastPrompt = 4 << 10

// Deliver passes on to a hook what is to be injected. An error means that the hook has
// left without it.
type Deliver func(api.Recollection) error

// Recollect delivers what is injected with a prompt, and records it.
func (e *Engine) Recollect(ctx context.Context, in api.Prompt, deliver Deliver) error {
	e.heed(in.SessionID, in.Incognito)
	settings := e.settings.Current()
	if !settings.Hooks.On("UserPromptSubmit") {
		return deliver(api.Recollection{})
	}
	defer e.traffic.Enter()()
	began := time.Now()
	in.Prompt = clean.Text(in.Prompt)
	s := e.sessions.Get(in.SessionID)
	s.Lock()
	defer s.Unlock()
	s.CollectFallback()
	s.TranscriptPath = cmp.Or(in.TranscriptPath, s.TranscriptPath)
	req := e.request(in, s, settings)
	if e.silent(in.SessionID, in.Cwd, req.Project) {
		e.enqueue(job{expect: in.TranscriptPath})
		return deliver(api.Recollection{})
	}
	start, err := e.makeUp(ctx, s, req)
	if err != nil {
		return err
	}
	e.windows.Of(in.TranscriptPath, req.Settings.Budget.Window).Narrow(&req)
	res, err := e.recallAfter(ctx, s, start, req)
	event := cmp.Or(in.Event, usage.PromptEvent)
	if err == nil {
		done := job{event: event, refresh: res.Left > 0 || s.Fallback != nil, expect: in.TranscriptPath, team: e.followed(in)}
		err = e.inject(ctx, s, res, done, deliver)
	}
	if err == nil {
		e.madeUp(s, start)
	}
	in.Prompt = clean.Alone(in.Prompt)
	s.Recalled = e.note(api.Recalled{At: began, Event: event, Session: in.SessionID, Project: req.Project.Name, Prompt: in.Prompt}, res, err)
	if err != nil {
		return err
	}
	s.Cwd = clean.Text(in.Cwd)
	if res.Explanation.Skipped == "" && !res.Borrowed {
		s.LastPrompt, s.Passed = memory.Clip(clean.Alone(cmp.Or(res.Asked, in.Prompt)), maxLastPrompt), res.Passed
	}
	e.log.Debug("recollect", logkey.Session, in.SessionID, logkey.Prompt, in.Prompt, logkey.Injected, len(res.Injected))
	return nil
}

// recallAfter recalls for a prompt, and puts what its session was to be told at its start in front.
func (e *Engine) recallAfter(ctx context.Context, s *sessions.Session, start *missed, req recall.Request) (recall.Result, error) {
	if start == nil {
		return e.Recall.Recall(ctx, req)
	}
	req.Session = s.Context()
	return e.Recall.After(ctx, start.res, req)
}

// followed returns the folder whose team is read anew behind a prompt, "" in a session that
// leaves no trace.
func (e *Engine) followed(in api.Prompt) string {
	if e.incognito.Has(in.SessionID) {
		return ""
	}
	return in.Cwd
}

// inject delivers a result, records its memories as injected into s, which is locked, and
// queues the job that follows. If the hook has left, nothing was injected.
func (e *Engine) inject(ctx context.Context, s *sessions.Session, res recall.Result, done job, deliver Deliver) error {
	err := ctx.Err()
	if err == nil {
		err = deliver(res.Recollection)
	}
	if err != nil {
		e.enqueue(job{expect: done.expect})
		return fmt.Errorf("inject: %w", err)
	}
	s.AddInjected(res.Keys)
	done.session, done.injected, done.at = s, res.Injected, res.Timestamp
	e.enqueue(done)
	return nil
}

// Explain returns every step of what Recollect would do in a session, in a new one if none
// is named, and records nothing.
func (e *Engine) Explain(ctx context.Context, in api.Prompt) (api.Explanation, error) {
	if err := e.waitForIndex(ctx); err != nil {
		return api.Explanation{}, err
	}
	in.Prompt = clean.Text(in.Prompt)
	req, state, err := e.explained(in)
	if err != nil {
		return api.Explanation{}, err
	}
	res, err := e.Recall.Recall(ctx, req)
	res.Explanation.Index, res.Explanation.Session = e.indexing.Status(), state
	res.Explanation.Silenced = e.silence(req.Session.ID, in.Cwd, req.Project)
	e.nameRules(res.Explanation.Candidates)
	return res.Explanation, err
}

// explained returns the request for an explanation, and what it takes from the session.
func (e *Engine) explained(in api.Prompt) (recall.Request, *api.SessionState, error) {
	s, state := e.sessions.Get(""), (*api.SessionState)(nil)
	if in.SessionID != "" {
		var known bool
		if s, known = e.sessions.Find(in.SessionID); !known {
			return recall.Request{}, nil, &api.BadRequest{Err: fmt.Errorf("session %q: nothing is known of it", in.SessionID)}
		}
		s.Lock()
		defer s.Unlock()
		s.CollectFallback()
		state = &api.SessionState{ID: s.ID, LastPrompt: s.LastPrompt, Injected: s.InjectedIDs(), Passed: s.Passed}
	}
	settings, err := e.settings.Try(in.Settings)
	if err != nil {
		return recall.Request{}, nil, &api.BadRequest{Err: err}
	}
	in.Cwd = cmp.Or(in.Cwd, s.Cwd)
	req := e.request(in, s, settings)
	req.Session.ID = cmp.Or(req.Session.ID, clean.ID(in.Own))
	req.All, req.Filter.Project = true, e.projectRoot(in.Project)
	e.windows.Of(s.TranscriptPath, req.Settings.Budget.Window).Narrow(&req)
	return req, state, nil
}

func (e *Engine) request(in api.Prompt, s *sessions.Session, settings config.Settings) recall.Request {
	if e.repository(in.Cwd).NoTeam {
		settings.Sources.Team.Enabled = false
	}
	return recall.Request{
		Prompt:     in.Prompt,
		LastPrompt: s.LastPrompt,
		Project:    e.adoptProject(in.Cwd),
		Session:    s.Context(),
		Uses:       e.usage.Uses,
		Now:        time.Now(),
		Settings:   settings,
	}
}
