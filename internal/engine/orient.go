package engine

import (
	"cmp"
	"context"
	"time"

	"recollect/internal/api"
	"recollect/internal/config"
	"recollect/internal/engine/sessions"
	"recollect/internal/engine/usage"
	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/recall"
)

// handoffWait is how long the start of a session waits for the handoff of the one
// that it replaces after a clear.
const handoffWait = 400 * time.Millisecond

// Orient returns what is injected at the start of a session, and what records that it was.
func (e *Engine) Orient(ctx context.Context, in api.Session) (out api.Recollection, commit Commit, err error) {
	e.acceptIncognito(in.SessionID, in.Incognito)
	settings := e.settings.Current()
	if !settings.Hooks.On("SessionStart") {
		return out, nil, nil
	}
	if in.Reason == "clear" {
		e.waitForJobs(ctx) // before the import gives way: it may keep a job waiting
	}
	defer e.traffic.Enter()()
	e.upkeep.Backlog.SessionBegins(ctx, in.TranscriptPath, time.Now())
	past, phase := pastNotice(e.upkeep.Backlog.Past())
	req := e.orientationRequest(in, settings)
	if in.Reason == "fork" {
		e.sessions.Fork(in.SessionID, clean.Text(in.Cwd), in.TranscriptPath, in.Tokens)
	}
	s := e.sessions.Get(in.SessionID)
	defer holdSession(s, &commit)()
	out, record, err := e.beginSession(ctx, in, s, req)
	finish := func(failed error) {
		if record != nil {
			record(failed)
		}
		if failed == nil {
			e.upkeep.Backlog.Notify(phase)
		} else {
			e.leaveMissed(in)
		}
		e.Machines.Soon()
	}
	if err != nil {
		finish(err)
		return out, nil, err
	}
	out.Notice = e.startNotice(out.Notice, past, in, settings.Err)
	return out, finish, nil
}

// Resume returns what Orient would in a new session, and records nothing.
func (e *Engine) Resume(ctx context.Context, in api.Session) (api.Recollection, error) {
	settings := e.settings.Current()
	if !settings.Hooks.On("SessionStart") {
		return api.Recollection{Injected: []api.Injected{}}, nil
	}
	req := e.orientationRequest(in, settings)
	if why := e.whySilent("", in.Cwd, req.Project); why != "" {
		return api.Recollection{Injected: []api.Injected{}, Notice: why}, nil
	}
	res, err := e.Recall.Orient(ctx, req)
	return res.Recollection, err
}

func (e *Engine) orientationRequest(in api.Session, settings config.Settings) recall.Request {
	project := e.Projects.Adopt(in.Cwd)
	return recall.Request{
		Project:      project,
		Uses:         e.usage.Uses,
		Begun:        e.begunWith(in.SessionID),
		Work:         memory.FindCheckout(in.Cwd),
		Now:          e.now(),
		Settings:     settings,
		Instructions: sessions.Instructions(project, in.Cwd, in.TranscriptPath),
	}
}

// begunWith returns what counts the sessions, other than that of an id, that began with a memory and went on: one that
// had no prompt was left at once.
func (e *Engine) begunWith(session string) func(id string) int {
	hadPrompt := map[string]bool{}
	return func(id string) int {
		n := 0
		for _, other := range e.usage.BeganWith(id) {
			had, known := hadPrompt[other]
			if !known {
				had = e.sessions.HadPrompt(other)
				hadPrompt[other] = had
			}
			if had && other != session {
				n++
			}
		}
		return n
	}
}

// beginSession returns what to inject at the start of a session, which is locked. That depends on how the
// session began: a resumed context still holds everything, a cleared one nothing, and a compacted
// one only a summary, though its work goes on.
func (e *Engine) beginSession(ctx context.Context, in api.Session, s *sessions.Session, req recall.Request) (api.Recollection, Commit, error) {
	began := time.Now()
	s.Cwd, s.TranscriptPath = clean.Text(in.Cwd), cmp.Or(in.TranscriptPath, s.TranscriptPath)
	var before map[string]string
	switch in.Reason {
	case "resume", "fork":
		e.enqueueJob(sessionBegun{s, "", in.TranscriptPath})
		return api.Recollection{}, nil, nil
	case "clear":
		s.CollectFallback() // an injected fallback was cleared with the rest
		s.Compact(req.Now)
		s.LastPrompt = ""
	case "compact":
		s.CollectFallback()
		before = s.Injected
		s.Compact(req.Now)
	}
	if in.Clean || e.isSilent(in.SessionID, in.Cwd, req.Project) {
		e.enqueueJob(sessionBegun{s, e.folderToSurvey(in), in.TranscriptPath})
		return api.Recollection{}, nil, nil
	}
	req.Session, req.LastPrompt = s.Context(), s.LastPrompt
	res, err := e.Recall.Reorient(ctx, req, before)
	done := memoriesInjected{first: sessionBegun{nil, e.folderToSurvey(in), in.TranscriptPath}, session: s, event: usage.StartEvent}
	return e.injectResult(ctx, res, err, in.TranscriptPath, done, func(err error) {
		s.Began = e.noteRecall(s, api.Recalled{At: began, Event: usage.StartEvent, Session: in.SessionID, Project: req.Project.Name, Prompt: in.Reason, Why: "nothing is known that a session should begin with"}, res, err)
	})
}

// folderToSurvey returns the folder whose files are read because a session begins in it, "" if
// nothing is learned of the session.
func (e *Engine) folderToSurvey(in api.Session) string {
	if e.pauses.Incognito.Has(in.SessionID) {
		return ""
	}
	return in.Cwd
}

// waitForJobs waits up to handoffWait for the jobs that were queued before the call.
func (e *Engine) waitForJobs(ctx context.Context) {
	done := make(chan struct{})
	if !e.enqueueJob(jobsAwaited{done}) {
		return
	}
	select {
	case <-done:
	case <-time.After(handoffWait):
	case <-ctx.Done():
	}
}
