package engine

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"time"

	"recollect/internal/api"
	"recollect/internal/capture"
	"recollect/internal/engine/sessions"
	"recollect/internal/engine/upkeep"
	"recollect/internal/recall"
	"recollect/internal/system/logkey"
)

// maxJobs is how many jobs may wait.
const maxJobs = 64

// A job is what remains to be done after a request was answered: to capture a
// transcript, or to save a session's state.
type job struct {
	session  *sessions.Session
	injected []api.Injected // at an event
	event    string
	at       time.Time
	refresh  bool // whether the fallback has to be written anew
	flush    *api.Flush
	expect   string          // where a session that was heard of has its transcript, or ""
	cwd      string          // folder in which a session begins, or ""
	team     string          // folder whose team is read anew, or ""
	done     chan<- struct{} // closed when the jobs queued before are done, or nil
}

// enqueue queues a job. When the queue is full it drops the job and returns false:
// a flush comes again with the next event.
func (e *Engine) enqueue(j job) bool {
	select {
	case e.jobs <- j:
		return true
	default:
		e.log.Warn("job dropped: queue is full")
		return false
	}
}

// Claude Code reports that a turn has ended before it has written all of it, so a
// transcript is read again, readAgain after each flush.
const readAgain = 2 * time.Second

// runJobs does jobs until ctx ends, then finishes what is queued.
func (e *Engine) runJobs(ctx context.Context) {
	e.sessions.RemoveOld(time.Now())
	e.catchUp(time.Now())
	timer := time.NewTimer(e.revisits.Wait(time.Now()))
	for {
		select {
		case j := <-e.jobs:
			e.careful("do a job", func() { e.do(ctx, j) })
		case <-e.revisits.Added():
		case <-timer.C:
			if k, ok := e.revisits.Take(time.Now()); ok {
				e.careful("read a transcript again", func() { e.revisit(ctx, k) })
			}
		case <-ctx.Done():
			e.finishJobs(ctx)
			return
		}
		e.saveTally(false)
		timer.Reset(e.revisits.Wait(time.Now()))
	}
}

// finishJobs does the remaining jobs when the engine ends.
func (e *Engine) finishJobs(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), drain)
	defer cancel()
	defer func() { e.saveTally(true) }()
	for len(e.jobs) > 0 {
		e.careful("do a job", func() { e.do(ctx, <-e.jobs) })
	}
	for _, k := range e.revisits.TakeAll() {
		if !k.Optional {
			e.careful("read a transcript again", func() { e.revisit(ctx, k) })
		}
	}
}

// saveTally saves the counts if it is time, or at once.
func (e *Engine) saveTally(now bool) {
	if e.lock.Held() == nil {
		e.tally.Save(time.Now(), now)
	}
}

func (e *Engine) do(ctx context.Context, j job) {
	if j.done != nil {
		close(j.done)
	}
	if e.lock.Held() != nil {
		return // the folder is another daemon's, or was removed and must not be made again
	}
	if j.flush != nil {
		e.captureFlushed(ctx, *j.flush)
	}
	if j.expect != "" {
		e.expect(j.expect)
	}
	if j.cwd != "" {
		e.survey(ctx, j.cwd, time.Now())
		e.followTeam(ctx, j.cwd, time.Now())
	}
	if j.team != "" {
		e.followTeam(ctx, j.team, time.Now())
	}
	if j.session == nil || j.session.ID == "" || e.incognito.Has(cmp.Or(j.session.Parent, j.session.ID)) {
		return
	}
	if len(j.injected) > 0 {
		e.usage.Add(j.session.ID, j.event, j.injected, j.at.UTC())
	}
	if j.refresh || j.flush != nil {
		e.refresh(ctx, j.session)
	}
	j.session.Lock()
	defer j.session.Unlock()
	if err := j.session.Save(); err != nil {
		e.log.Warn("save session", logkey.Session, j.session.ID, logkey.Error, err)
	}
}

// captureFlushed captures what is new in a transcript, and queues the second
// reading.
func (e *Engine) captureFlushed(ctx context.Context, f api.Flush) {
	in := e.input(f.TranscriptPath)
	in.LastReply = f.LastReply
	e.captureFile(ctx, in)
	again := upkeep.Revisit{Path: f.TranscriptPath, Session: f.SessionID, Due: time.Now().Add(readAgain)}
	if !e.revisits.Add(again) {
		e.log.Warn("second reading dropped: queue is full")
	}
	e.catchUpAgents(f.TranscriptPath, time.Now())
	e.refinement.Later(f.TranscriptPath, f.Reason, time.Now())
	if f.Reason == "SessionEnd" {
		e.syncSoon()
	}
	if f.Reason == "Stop" {
		e.survey(ctx, f.Cwd, time.Now())
		e.followTeam(ctx, f.Cwd, time.Now())
	}
}

// revisit captures what a transcript has gained since.
func (e *Engine) revisit(ctx context.Context, k upkeep.Revisit) {
	if e.lock.Held() != nil {
		return // as in do
	}
	if e.captureFile(ctx, e.input(k.Path)) > 0 && k.Session != "" {
		e.do(ctx, job{session: e.sessions.Get(k.Session), refresh: true})
	}
}

// captureFile captures what is new in a transcript, and returns the number of
// memories that came of it.
func (e *Engine) captureFile(ctx context.Context, in capture.Input) int {
	in.Each = e.recordUse
	done, err := e.capture.File(ctx, in, e.meetProject)
	if err != nil && elsewhere(in.Path) {
		err = fmt.Errorf("%w: the session runs in a container whose files the daemon does not see", err)
	} else if errors.Is(err, capture.ErrLater) || err != nil && missing(in.Path) { // the client never wrote it, or has deleted it
		e.log.Debug("capture", logkey.Transcript, in.Path, logkey.Error, err)
		return done.Added + done.Changed
	}
	e.tally.Captured(time.Now(), err)
	if err != nil {
		e.log.Warn("capture", logkey.Transcript, in.Path, logkey.Error, err)
		return done.Added + done.Changed
	}
	e.log.Debug("captured", logkey.Transcript, in.Path, logkey.Added, done.Added, logkey.Changed, done.Changed)
	return done.Added + done.Changed
}

// missing reports whether there is no file at path.
func missing(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// elsewhere reports whether not even Claude Code's folder of transcripts, to which path leads, is
// there: the hook named a file of another container.
func elsewhere(path string) bool {
	for dir := filepath.Dir(path); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if filepath.Base(dir) == "projects" {
			return missing(dir)
		}
	}
	return false
}

// fallbackItems is how many memories the fallback has, for a prompt that the daemon
// cannot answer.
const fallbackItems = 3

// refresh writes as the fallback what would be injected now with the session's last
// prompt: the best that was not injected yet. The session is not locked during the recall, so that
// a prompt that comes meanwhile need not wait for it; the job of that one follows.
func (e *Engine) refresh(ctx context.Context, s *sessions.Session) {
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
	if s.LastPrompt == "" || e.silent(s.ID, s.Cwd, e.adoptProject(s.Cwd)) {
		return recall.Request{}, false
	}
	req := e.request(api.Prompt{Prompt: s.LastPrompt, Cwd: s.Cwd}, s, e.settings.Current())
	req.LastPrompt = ""
	req.Settings.Budget.Items = min(req.Settings.Budget.Items, fallbackItems)
	return req, true
}

func fallbackOf(res recall.Result) api.Fallback {
	return api.Fallback{Recollection: res.Recollection, Terms: res.Words}
}
