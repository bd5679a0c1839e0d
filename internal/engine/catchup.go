package engine

import (
	"time"

	"recollect/internal/logkey"
	"recollect/internal/maintenance"
)

// catchUpAfter is how long the prompt that started the daemon is left alone
// before what was missed is read.
const catchUpAfter = time.Second

// catchUp has those transcripts read that have grown, or became others, while
// no daemon ran. What no hook ever named is not among them: hooks were
// switched off for it.
func (e *Engine) catchUp(now time.Time) {
	if !e.settings.Current().Hooks.On("Stop") {
		return
	}
	paths := e.capture.Behind()
	for _, path := range paths {
		if !e.revisits.Add(maintenance.Revisit{Path: path, Optional: true, Due: now.Add(catchUpAfter)}) {
			e.log.Warn("catch up: too many transcripts, the rest when the daemon starts again", logkey.Transcripts, len(paths))
			return
		}
	}
}
