package engine

import (
	"cmp"
	"context"
	"time"

	"recollect/internal/api"
	"recollect/internal/engine/upkeep"
	"recollect/internal/system/logkey"
)

// Flush queues the capture of a transcript, and returns at once.
func (e *Engine) Flush(_ context.Context, in api.Flush) error {
	e.acceptIncognito(in.SessionID, in.Incognito)
	in.Reason = cmp.Or(in.Reason, "Stop")
	if !e.mayLearn(in.SessionID, in.Reason, in.TranscriptPath) {
		return nil
	}
	if !e.enqueueJob(turnEnded{e.sessions.Get(in.SessionID), in}) {
		return api.ErrBusy
	}
	return nil
}

// mayLearn reports whether the transcript of a session, "" if it has none, is read after an event.
func (e *Engine) mayLearn(session, event, transcript string) bool {
	return transcript != "" && e.settings.Current().Hooks.On(event) && !e.pauses.Incognito.Has(session)
}

// readSoon is how long after a tool call its transcript is read: Claude Code reports
// the call before it writes how it ended.
const readSoon = time.Second

// Observe receives how a tool call ended. After a failure, and when the same tool
// works again, the transcript is captured before the turn ends. Nothing is captured
// from the observation itself.
func (e *Engine) Observe(_ context.Context, in api.Observation) error {
	event := "PostToolUse"
	if in.Error != "" {
		event = "PostToolUseFailure"
	}
	e.acceptIncognito(in.SessionID, in.Incognito)
	if !e.mayLearn(in.SessionID, event, in.TranscriptPath) || !e.sessions.FailedTools.Observe(in) {
		return nil
	}
	e.log.Debug("observed", logkey.Session, in.SessionID, logkey.Tool, in.Tool, logkey.Failed, in.Error != "")
	if !e.upkeep.Revisits.Add(upkeep.Revisit{Path: in.TranscriptPath, Session: in.SessionID, Due: time.Now().Add(readSoon)}) {
		return api.ErrBusy
	}
	return nil
}
