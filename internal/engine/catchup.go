package engine

import (
	"time"

	"recollect/internal/engine/upkeep"
	"recollect/internal/system/logkey"
)

// catchUpAfter is how long reading waits after the start of the daemon, so that
// the prompt that started it is answered first.
const catchUpAfter = time.Second

// expect has the next daemon read a transcript, should this one end before a hook asks
// for it; "" names none. A session may be killed in its first turn.
func (e *Engine) expect(path string) {
	if path == "" || !e.settings.Current().Hooks.On("Stop") {
		return
	}
	if err := e.capture.Expect(path); err != nil {
		e.log.Warn("expect transcript", logkey.Transcript, path, logkey.Error, err)
	}
}

// catchUp queues the transcripts that have begun, grown or were replaced while no daemon
// ran. One that no hook ever named is left out: hooks were switched off for it.
func (e *Engine) catchUp(now time.Time) {
	if !e.settings.Current().Hooks.On("Stop") {
		return
	}
	paths := e.capture.Behind()
	for _, path := range paths {
		if !e.revisits.Add(upkeep.Revisit{Path: path, Optional: true, Due: now.Add(catchUpAfter)}) {
			e.log.Warn("catch up: too many transcripts, the rest when the daemon starts again", logkey.Transcripts, len(paths))
			return
		}
	}
}

// catchUpAgents queues the sub-agents of a session that nothing was heard of when they ended, or that work on.
func (e *Engine) catchUpAgents(transcript string, now time.Time) {
	for _, path := range e.capture.AgentsBehind(transcript) {
		if !e.revisits.Add(upkeep.Revisit{Path: path, Optional: true, Due: now.Add(readAgain)}) {
			return // the next event of the session, or the next daemon, finds the rest
		}
	}
}
