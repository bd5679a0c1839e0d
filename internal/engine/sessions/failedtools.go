package sessions

import (
	"sync"

	"recollect/internal/api"
)

// maxFailedTools bounds the tools that failed and have not worked since.
const maxFailedTools = 1000

// FailedTools are the tools whose last call failed. The zero value has none.
type FailedTools struct {
	mu    sync.Mutex
	tools map[failedTool]bool
}

type failedTool struct{ transcript, tool string }

// Observe records how a tool call ended, and reports whether that is news: a
// failure, or the first success after one.
func (f *FailedTools) Observe(in api.Observation) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := failedTool{in.TranscriptPath, in.Tool}
	if in.Error == "" {
		was := f.tools[key]
		delete(f.tools, key)
		return was
	}
	if f.tools == nil || len(f.tools) >= maxFailedTools {
		f.tools = map[failedTool]bool{} // what is lost is captured when the turns end
	}
	f.tools[key] = true
	return true
}
