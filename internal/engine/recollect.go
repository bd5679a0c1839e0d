package engine

import (
	"cmp"
	"context"
	"fmt"
	"math"
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

// A Commit records what became of a reply: it arrived, or did not, because the hook has left. Who
// gets one calls it once, when the reply was written; until then the session is locked.
type Commit func(undelivered error)

// holdSession locks a session until there was a commit, or, where there is nothing to commit, until the
// function that it returns is called.
func holdSession(s *sessions.Session, commit *Commit) (release func()) {
	s.Lock()
	return func() {
		record := *commit
		if record == nil {
			s.Unlock()
			return
		}
		*commit = func(undelivered error) {
			defer s.Unlock()
			record(undelivered)
		}
	}
}

// Recollect returns what is injected with a prompt, and what records that it was.
func (e *Engine) Recollect(ctx context.Context, in api.Prompt) (out api.Recollection, commit Commit, err error) {
	e.acceptIncognito(in.SessionID, in.Incognito)
	settings, chosen := e.settings.Current(), e.reader.End(in.SessionID)
	if !settings.Hooks.On("UserPromptSubmit") {
		return out, nil, nil
	}
	defer e.traffic.Enter()()
	began := time.Now()
	in.Prompt = clean.Text(in.Prompt)
	s := e.sessions.Get(in.SessionID)
	defer holdSession(s, &commit)()
	s.CollectFallback()
	s.TranscriptPath = cmp.Or(in.TranscriptPath, s.TranscriptPath)
	req := e.makeRequest(in, s, settings)
	if e.isSilent(in.SessionID, in.Cwd, req.Project) {
		s.AddPrompt(in.PromptID)
		e.enqueueJob(promptAsked{transcript: in.TranscriptPath})
		return out, nil, nil
	}
	start, err := e.makeUp(ctx, s, req)
	if err != nil {
		return out, nil, err
	}
	e.sessions.Windows.Of(in.TranscriptPath, req.Settings.Budget.Window).Narrow(&req)
	choice := e.choiceOf(chosen, &req)
	res, err := choice.before(e.recallAfter(ctx, s, start, req))
	event := cmp.Or(in.Event, usage.PromptEvent)
	done := memoriesInjected{first: promptAsked{in.TranscriptPath, e.folderToFollow(in)}, session: s, event: event, refresh: res.Left > 0 || s.Fallback != nil}
	return e.injectResult(ctx, res, err, in.TranscriptPath, done, func(err error) {
		if err == nil {
			e.madeUp(s, start)
		}
		in.Prompt = clean.Alone(in.Prompt)
		s.SetRecalled(e.noteRecall(s, api.Recalled{Chosen: choice.record(s), At: began, Event: event, Session: in.SessionID, Project: req.Project.Name, Prompt: in.Prompt}, res, err))
		if err == nil {
			e.askReader(in, &req, &res)
			e.recordPrompt(s, in, res)
		}
	})
}

// recordPrompt records in a session the prompt that was answered.
func (e *Engine) recordPrompt(s *sessions.Session, in api.Prompt, res recall.Result) {
	s.Cwd = clean.Text(in.Cwd)
	s.AddPrompt(in.PromptID)
	if res.Explanation.Skipped == "" && !res.FromLastPrompt {
		s.LastPrompt, s.Passed = memory.Clip(clean.Alone(cmp.Or(res.Asked, in.Prompt)), maxLastPrompt), res.Passed
	}
	e.log.Debug("recollect", logkey.Session, in.SessionID, logkey.Prompt, in.Prompt, logkey.Injected, len(res.Injected))
}

// recallAfter recalls for a prompt, and puts in front what was to be injected at the start of its session.
func (e *Engine) recallAfter(ctx context.Context, s *sessions.Session, start *missed, req recall.Request) (recall.Result, error) {
	if start == nil {
		return e.Recall.Recall(ctx, req)
	}
	heard := req.Session.Heard
	req.Session = s.Context()
	req.Session.Heard = heard
	return e.Recall.After(ctx, start.res, req)
}

// folderToFollow returns the folder whose team is read anew behind a prompt, "" in a session that
// leaves no trace.
func (e *Engine) folderToFollow(in api.Prompt) string {
	if e.pauses.Incognito.Has(in.SessionID) {
		return ""
	}
	return in.Cwd
}

// injectResult returns the result of a recall as a reply, or err, why there is none. The commit records the
// memories as injected into the session of done, which must be locked, and queues done; if the reply did
// not arrive, it only queues a reading of the transcript. record is called with err, or with what became
// of the reply.
func (e *Engine) injectResult(ctx context.Context, res recall.Result, err error, transcript string, done memoriesInjected, record func(error)) (api.Recollection, Commit, error) {
	commit := func(undelivered error) error {
		if undelivered != nil {
			e.enqueueJob(promptAsked{transcript: transcript})
			return fmt.Errorf("inject: %w", undelivered)
		}
		done.session.AddInjected(res.Keys)
		done.memories, done.at = res.Injected, res.Timestamp
		e.enqueueJob(done)
		return nil
	}
	if err == nil && ctx.Err() != nil {
		err = commit(ctx.Err())
	}
	if err != nil {
		record(err)
		return api.Recollection{}, nil, err
	}
	return res.Recollection, func(undelivered error) { record(commit(undelivered)) }, nil
}

// Explain returns every step of what Recollect would do in a session, in a new one if none
// is named, and records nothing.
func (e *Engine) Explain(ctx context.Context, in api.Prompt) (api.Explanation, error) {
	if err := e.waitForIndex(ctx); err != nil {
		return api.Explanation{}, err
	}
	in.Prompt = clean.Text(in.Prompt)
	req, state, err := e.requestToExplain(in)
	if err != nil {
		return api.Explanation{}, err
	}
	res, err := e.Recall.Recall(ctx, req)
	res.Explanation.Index, res.Explanation.Session = e.indexing.Status(), state
	res.Explanation.Silenced = e.whySilent(req.Session.ID, in.Cwd, req.Project)
	e.nameRules(res.Explanation.Candidates)
	return res.Explanation, err
}

// requestToExplain returns the request for an explanation, and what it takes from the session.
func (e *Engine) requestToExplain(in api.Prompt) (recall.Request, *api.SessionState, error) {
	s, state := e.sessions.Get(""), (*api.SessionState)(nil)
	if in.SessionID != "" {
		var known bool
		if s, known = e.sessions.Find(in.SessionID); !known {
			return recall.Request{}, nil, &api.BadRequest{Err: fmt.Errorf("session %q: nothing is known of it", in.SessionID)}
		}
		s.Lock()
		defer s.Unlock()
		s.CollectFallback()
		state = &api.SessionState{ID: s.ID, LastPrompt: s.LastPrompt, Injected: s.InjectedIDs(), Passed: s.Passed, Chosen: s.Chosen}
	}
	settings, err := e.settings.Try(in.Settings)
	if err != nil {
		return recall.Request{}, nil, &api.BadRequest{Err: err}
	}
	in.Cwd = cmp.Or(in.Cwd, s.Cwd)
	req := e.makeRequest(in, s, settings)
	req.Session.ID = cmp.Or(req.Session.ID, clean.ID(in.Own))
	req.All, req.Filter.Project = true, e.Projects.Root(in.Project)
	e.sessions.Windows.Of(s.TranscriptPath, req.Settings.Budget.Window).Narrow(&req)
	return req, state, nil
}

// makeRequest returns the request for a prompt of a session that its transcript does not have yet.
func (e *Engine) makeRequest(in api.Prompt, s *sessions.Session, settings config.Settings) recall.Request {
	return e.makeRequestAt(math.MaxInt64, in, s, settings)
}

// makeRequestAt is makeRequest for a prompt at an offset in its transcript. What is said behind it does not count.
func (e *Engine) makeRequestAt(offset int64, in api.Prompt, s *sessions.Session, settings config.Settings) recall.Request {
	if e.narrowingOf(in.Cwd).NoTeam {
		settings.Sources.Team.Enabled = false
	}
	session := s.Context()
	session.Heard = e.sessions.Listener.Of(cmp.Or(in.TranscriptPath, s.TranscriptPath), offset)
	return recall.Request{
		Prompt:     in.Prompt,
		LastPrompt: s.LastPrompt,
		Project:    e.Projects.Adopt(in.Cwd),
		Session:    session,
		Uses:       e.usage.Uses,
		Habits:     e.habits.Load(),
		Now:        e.now(),
		Settings:   settings,
	}
}
