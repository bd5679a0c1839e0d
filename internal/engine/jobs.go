package engine

import (
	"cmp"
	"context"
	"maps"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/sessions"
	"recollect/internal/engine/usage"
	"recollect/internal/recall"
	"recollect/internal/system/logkey"
)

// maxJobs is how many jobs may wait.
const maxJobs = 64

// A job is what remains to be done after a request was answered. Its kinds are what happened.
type job interface {
	run(ctx context.Context, e *Engine)
}

// promptAsked follows a prompt: where its session has its transcript, and the folder whose team is
// read anew. Either may be "".
type promptAsked struct{ transcript, team string }

func (j promptAsked) run(ctx context.Context, e *Engine) {
	e.expectTranscript(j.transcript)
	e.Teams.Follow(ctx, j.team, time.Now())
}

// sessionBegun follows the start of a session, which is saved unless it is nil, in a folder, which is
// "" if nothing is learned there.
type sessionBegun struct {
	session         *sessions.Session
	cwd, transcript string
}

func (j sessionBegun) run(ctx context.Context, e *Engine) {
	e.expectTranscript(j.transcript)
	e.surveyProject(ctx, j.cwd, time.Now())
	e.Teams.Follow(ctx, j.cwd, time.Now())
	if e.leavesTrace(j.session) {
		e.saveSession(j.session)
	}
}

// memoriesInjected follows an event at which memories were injected into a session, or none were.
type memoriesInjected struct {
	first    job // what else follows, or nil
	session  *sessions.Session
	event    string
	memories []api.Injected
	ofPrompt int // of the memories, how many of the first came late, with the call after their prompt
	at       time.Time
	refresh  bool // the fallback has to be written anew
}

func (j memoriesInjected) run(ctx context.Context, e *Engine) {
	if j.first != nil {
		j.first.run(ctx, e)
	}
	if !e.leavesTrace(j.session) {
		return
	}
	if len(j.memories) > 0 {
		e.usage.Add(j.session.ID, usage.PromptEvent, j.memories[:j.ofPrompt], j.at.UTC())
		e.usage.Add(j.session.ID, j.event, j.memories[j.ofPrompt:], j.at.UTC())
	}
	if j.refresh {
		e.refreshFallback(ctx, j.session)
	}
	e.saveSession(j.session)
}

// turnEnded follows the end of a turn, which is captured.
type turnEnded struct {
	session *sessions.Session
	flush   api.Flush
}

func (j turnEnded) run(ctx context.Context, e *Engine) {
	e.captureFlushed(ctx, j.flush)
	e.guards.Settle(j.flush.TranscriptPath)
	e.renewFallback(ctx, j.session)
}

// jobsAwaited closes done when the jobs queued before are done.
type jobsAwaited struct{ done chan<- struct{} }

func (j jobsAwaited) run(context.Context, *Engine) { close(j.done) }

// leavesTrace reports whether what happens in a session may be stored.
func (e *Engine) leavesTrace(s *sessions.Session) bool {
	return s != nil && s.ID != "" && !e.pauses.Incognito.Has(cmp.Or(s.Parent, s.ID))
}

func (e *Engine) saveSession(s *sessions.Session) {
	s.Lock()
	defer s.Unlock()
	if err := s.Save(); err != nil {
		e.log.Warn("save session", logkey.Session, s.ID, logkey.Error, err)
	}
}

// renewFallback writes the fallback of a session anew, and saves the session.
func (e *Engine) renewFallback(ctx context.Context, s *sessions.Session) {
	if e.leavesTrace(s) {
		e.refreshFallback(ctx, s)
		e.saveSession(s)
	}
}

// enqueueJob queues a job. When the queue is full it drops the job and returns false:
// a flush comes again with the next event.
func (e *Engine) enqueueJob(j job) bool {
	select {
	case e.jobs <- j:
		return true
	default:
		e.log.Warn("job dropped: queue is full")
		return false
	}
}

// runJobs does jobs until ctx ends, then finishes what is queued.
func (e *Engine) runJobs(ctx context.Context) {
	e.sessions.RemoveOld(time.Now())
	e.catchUp(time.Now())
	timer := time.NewTimer(e.upkeep.Revisits.Wait(time.Now()))
	for {
		select {
		case j := <-e.jobs:
			e.catchPanic("do a job", func() { e.runJob(ctx, j) })
		case <-e.upkeep.Revisits.Added():
		case <-timer.C:
			if k, ok := e.upkeep.Revisits.Take(time.Now()); ok {
				e.catchPanic("read a transcript again", func() { e.revisitTranscript(ctx, k) })
			}
		case <-ctx.Done():
			e.finishJobs(ctx)
			return
		}
		e.saveTally(false)
		timer.Reset(e.upkeep.Revisits.Wait(time.Now()))
	}
}

// finishJobs does the remaining jobs when the engine ends.
func (e *Engine) finishJobs(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	defer func() { e.saveTally(true) }()
	for len(e.jobs) > 0 {
		e.catchPanic("do a job", func() { e.runJob(ctx, <-e.jobs) })
	}
	for _, k := range e.upkeep.Revisits.TakeAll() {
		if !k.Optional {
			e.catchPanic("read a transcript again", func() { e.revisitTranscript(ctx, k) })
		}
	}
}

// saveTally saves the counts if it is time, or at once.
func (e *Engine) saveTally(now bool) {
	if e.lock.Held() == nil {
		e.tally.Save(time.Now(), now)
	}
}

// runJob does a job, unless the folder is another daemon's, or was removed and must not be made again.
func (e *Engine) runJob(ctx context.Context, j job) {
	if e.lock.Held() == nil {
		j.run(ctx, e)
	}
}

// fallbackItems is how many memories the fallback has, for a prompt that the daemon
// cannot answer.
const fallbackItems = 3

// refreshFallback writes as the fallback what would be injected now with the session's last
// prompt: the best that was not injected yet. The session is not locked during the recall, so that
// a prompt that comes meanwhile need not wait for it; the job of that one follows.
func (e *Engine) refreshFallback(ctx context.Context, s *sessions.Session) {
	req, ok := e.fallbackRequest(s)
	if !ok {
		return
	}
	work := e.traffic.Begin(ctx)
	res, err := e.Recall.Recall(ctx, req)
	work.End()
	s.Lock()
	defer s.Unlock()
	s.CollectFallback() // what the hook injected meanwhile is not written again
	if s.LastPrompt != req.Prompt || !maps.Equal(s.Injected, req.Session.Injected) {
		return
	}
	if err == nil {
		err = s.LeaveFallback(fallbackOf(res), res.Keys)
	}
	if err != nil {
		e.log.Warn("write fallback", logkey.Session, s.ID, logkey.Error, err)
	}
}

// fallbackRequest returns what is asked for the fallback of a session, false if it has none.
func (e *Engine) fallbackRequest(s *sessions.Session) (recall.Request, bool) {
	s.Lock()
	defer s.Unlock()
	s.CollectFallback()
	if s.LastPrompt == "" || e.isSilent(s.ID, s.Cwd, e.Projects.Adopt(s.Cwd)) {
		return recall.Request{}, false
	}
	req := e.makeRequest(api.Prompt{Prompt: s.LastPrompt, Cwd: s.Cwd}, s, e.settings.Current())
	req.LastPrompt, req.Settings.Recall.MinWorth = "", 0 // that it was worth something showed then
	req.Settings.Budget.Items = min(req.Settings.Budget.Items, fallbackItems)
	return req, true
}

func fallbackOf(res recall.Result) api.Fallback {
	return api.Fallback{Recollection: res.Recollection, Terms: res.Words}
}
