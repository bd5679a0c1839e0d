package engine

import (
	"context"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/sessions"
	"recollect/internal/engine/upkeep"
	"recollect/internal/recall"
	"recollect/internal/system/logkey"
)

// A missed is the start of a session that its hook had no answer to in time, as on a loaded
// machine. The first prompt or tool call of the session that is answered brings what the start
// would have brought.
type missed struct {
	start api.Session
	res   recall.Result
	past  upkeep.Phase // of which the user is notified
}

// makeUp returns what was to be injected into a session, which is locked, at its start, nil if it was. What is
// recorded as injected at that start never arrived.
func (e *Engine) makeUp(ctx context.Context, s *sessions.Session, req recall.Request) (*missed, error) {
	start, ok := api.MissedStart(e.home, s.ID, req.Now)
	if !ok {
		return nil, nil
	}
	if !req.Settings.Hooks.On("SessionStart") || e.pauses.Incognito.Has(s.ID) {
		e.endStart(s.ID)
		return nil, nil
	}
	s.Injected = nil
	if start.Reason != "startup" {
		s.Compact(req.Now)
	}
	e.beginImport(ctx, start.TranscriptPath, req.Now)
	orient := e.orientationRequest(start, req.Settings)
	orient.Session = s.Context()
	res, err := e.Recall.Orient(ctx, orient)
	if err != nil {
		return nil, err
	}
	past, phase := pastNotice(e.upkeep.Backlog.Past())
	res.Notice = e.startNotice(res.Notice, past, start, req.Settings.Err)
	return &missed{start, res, phase}, nil
}

// countFor is how long a prompt or a tool call waits until past sessions are counted.
const countFor = 50 * time.Millisecond

// beginImport is what the start of a session does about past sessions, in less time.
func (e *Engine) beginImport(ctx context.Context, transcript string, now time.Time) {
	ctx, cancel := context.WithTimeout(ctx, countFor)
	defer cancel()
	e.upkeep.Backlog.SessionBegins(ctx, transcript, now)
}

// madeUp records that the start of a session, which is locked, was made up for.
func (e *Engine) madeUp(s *sessions.Session, m *missed) {
	if m == nil {
		return
	}
	e.endStart(s.ID)
	e.upkeep.Backlog.Notify(m.past)
	e.enqueueJob(sessionBegun{s, e.folderToSurvey(m.start), m.start.TranscriptPath})
	e.Machines.Soon()
}

// leaveMissed notes that a hook did not wait for what was to be injected at the start of a session.
func (e *Engine) leaveMissed(in api.Session) {
	if !in.IsOwed() || e.lock.Held() != nil {
		return
	}
	if err := api.LeaveStart(e.home, api.Start{Session: in, Missed: true}); err != nil {
		e.log.Warn("note a missed start", logkey.Session, in.SessionID, logkey.Error, err)
	}
}

func (e *Engine) endStart(session string) {
	if err := api.EndStart(e.home, session); err != nil {
		e.log.Warn("note that a start was made up for", logkey.Session, session, logkey.Error, err)
	}
}

// startNotice returns what the user reads at the start of a session: what is wrong with the
// settings, or else what was injected, then what has become of past sessions, what is to be
// reviewed or dropped, and what was used.
func (e *Engine) startNotice(injected, past string, start api.Session, settings error) string {
	if settings != nil {
		mistake, _, _ := strings.Cut(settings.Error(), "\n")
		injected = "recollect does not use your newest settings: " + mistake
	}
	lines := append([]string{injected, past, e.Projects.AskMoved(start.Cwd)}, e.duties(start, injected+past, time.Now())...)
	return strings.Join(slices.DeleteFunc(lines, func(s string) bool { return s == "" }), "\n")
}
