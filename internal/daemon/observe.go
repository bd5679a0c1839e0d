package daemon

import (
	"context"
	"sync"
	"time"

	"recollect/internal/api"
)

// lookSoon is how long after a tool call its transcript is looked at: Claude
// Code tells of the call before it writes down how it ended.
const lookSoon = time.Second

// observe hears how a tool call ended. After a failure, and when the same tool
// works again, the transcript is captured before the turn ends. Nothing is
// taken from the observation itself.
func (d *Daemon) observe(_ context.Context, in api.Observation) (struct{}, error) {
	event := "PostToolUse"
	if in.Error != "" {
		event = "PostToolUseFailure"
	}
	if !d.settings.Current().Hooks.On(event) || in.TranscriptPath == "" || !d.failing.news(in) {
		return struct{}{}, nil
	}
	d.log.Debug("observed", "session", in.SessionID, "tool", in.Tool, "failed", in.Error != "")
	if !d.looks.add(look{path: in.TranscriptPath, session: in.SessionID, due: time.Now().Add(lookSoon)}) {
		return struct{}{}, errBusy
	}
	return struct{}{}, nil
}

// maxFailing bounds the tools that are waited for to work again.
const maxFailing = 1000

// failing are the tools whose last call went wrong.
type failing struct {
	mu    sync.Mutex
	tools map[failingTool]bool
}

type failingTool struct{ transcript, tool string }

// news reports whether an observation tells more than that all is well.
func (f *failing) news(in api.Observation) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := failingTool{in.TranscriptPath, in.Tool}
	if in.Error == "" {
		was := f.tools[key]
		delete(f.tools, key)
		return was
	}
	if f.tools == nil || len(f.tools) >= maxFailing {
		f.tools = map[failingTool]bool{} // what is lost is seen when the turns end
	}
	f.tools[key] = true
	return true
}
