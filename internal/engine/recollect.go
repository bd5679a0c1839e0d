package engine

import (
	"cmp"
	"context"
	"time"

	"recollect/internal/api"
	"recollect/internal/clean"
	"recollect/internal/config"
	"recollect/internal/logkey"
	"recollect/internal/memory"
	"recollect/internal/recall"
	"recollect/internal/session"
	"recollect/internal/usage"
)

// maxLastPrompt is how much of a prompt is stored for the next one, in bytes.
const maxLastPrompt = 4 << 10

// Recollect returns what is injected with a prompt, and records it.
func (e *Engine) Recollect(ctx context.Context, in api.Prompt) (api.Recollection, error) {
	settings := e.settings.Current()
	if !settings.Hooks.On("UserPromptSubmit") {
		return api.Recollection{}, nil
	}
	in.Prompt = clean.Text(in.Prompt)
	s := e.sessions.Get(in.SessionID)
	s.Lock()
	defer s.Unlock()
	s.CollectFallback()
	req := e.request(in, s, settings)
	e.windows.Of(in.TranscriptPath, req.Settings.Budget.Window).Narrow(&req)
	res, err := e.Recall.Recall(ctx, req)
	if err != nil {
		return api.Recollection{}, err
	}
	if ctx.Err() != nil { // the hook has left: nothing was injected
		return api.Recollection{}, ctx.Err()
	}
	s.AddInjected(res.Keys)
	s.Cwd = in.Cwd
	if res.Explanation.Skipped == "" && !res.Borrowed {
		s.LastPrompt, s.Passed = memory.Clip(in.Prompt, maxLastPrompt), res.Passed
	}
	e.enqueue(job{session: s, injected: res.Injected, event: cmp.Or(in.Event, usage.PromptEvent), at: res.Timestamp, refresh: res.Left > 0 || s.Fallback != nil})
	e.log.Debug("recollect", logkey.Session, in.SessionID, logkey.Prompt, in.Prompt, logkey.Injected, len(res.Injected))
	return res.Recollection, nil
}

// Explain returns every step of what Recollect would do in a new session, and records
// nothing.
func (e *Engine) Explain(ctx context.Context, in api.Prompt) (api.Explanation, error) {
	if err := e.waitForIndex(ctx); err != nil {
		return api.Explanation{}, err
	}
	in.Prompt = clean.Text(in.Prompt)
	req := e.request(in, e.sessions.Get(""), e.settings.Current())
	req.All, req.Filter.Project = true, in.Project
	res, err := e.Recall.Recall(ctx, req)
	res.Explanation.Index = e.indexing.Status()
	e.nameRules(res.Explanation.Candidates)
	return res.Explanation, err
}

func (e *Engine) request(in api.Prompt, s *session.Session, settings config.Settings) recall.Request {
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
