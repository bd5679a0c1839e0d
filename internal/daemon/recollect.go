package daemon

import (
	"context"
	"time"

	"recollect/internal/api"
	"recollect/internal/clean"
	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/recall"
)

// maxLastPrompt is how much of a prompt is kept for the one after it, in
// bytes.
const maxLastPrompt = 4 << 10

// recollect answers a prompt with what bears on it, and notes what it told.
func (d *Daemon) recollect(ctx context.Context, in api.Prompt) (api.Recollection, error) {
	if err := d.parts(ctx); err != nil {
		return api.Recollection{}, err
	}
	settings := d.settings.Current()
	if !settings.Hooks.On("UserPromptSubmit") {
		return api.Recollection{}, nil
	}
	in.Prompt = clean.Text(in.Prompt)
	s := d.sessions.get(in.SessionID)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.collect(d.home)
	req := d.request(in, s, settings)
	d.narrow(&req, in.TranscriptPath)
	res, err := d.recall.Recall(ctx, req)
	if err != nil {
		return api.Recollection{}, err
	}
	if ctx.Err() != nil { // the hook has left: nothing was told
		return api.Recollection{}, ctx.Err()
	}
	s.tell(res.Keys)
	s.Cwd = in.Cwd
	if res.Explanation.Skipped == "" && !res.Borrowed {
		s.LastPrompt, s.Passed = memory.Clip(in.Prompt, maxLastPrompt), res.Passed
	}
	d.later(chore{session: s, told: res.Bites, event: eventOf(in), at: res.Timestamp, refresh: res.Left > 0 || s.Fallback != nil})
	d.log.Debug("recollect", "session", in.SessionID, "prompt", in.Prompt, "told", len(res.Bites))
	return res.Recollection, nil
}

// explain answers as recollect would in a new session, with every step, and
// notes nothing.
func (d *Daemon) explain(ctx context.Context, in api.Prompt) (api.Explanation, error) {
	if err := d.upToDate(ctx); err != nil {
		return api.Explanation{}, err
	}
	in.Prompt = clean.Text(in.Prompt)
	req := d.request(in, d.sessions.get(""), d.settings.Current())
	req.All = true
	res, err := d.recall.Recall(ctx, req)
	res.Explanation.Index = d.follower.status()
	return res.Explanation, err
}

func (d *Daemon) request(in api.Prompt, s *session, settings config.Settings) recall.Request {
	return recall.Request{
		Prompt:     in.Prompt,
		LastPrompt: s.LastPrompt,
		Project:    d.project(in.Cwd),
		Session:    s.known(),
		Uses:       d.usage.of,
		Now:        time.Now(),
		Settings:   settings,
	}
}
