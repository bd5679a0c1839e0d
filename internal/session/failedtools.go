package session

import (
	"sync"

	"recollect/internal/api"
)

// maxFailedTools bounds the tools that are waited for to work again.
const maxFailedTools = 1000

// FailedTools are the tools whose last call went wrong. The zero value knows of
// none.
type FailedTools struct {
	mu    sync.Mutex
	tools map[failedTool]bool
}

type failedTool struct{ transcript, tool string }

// News reports whether an observation says more than that all is well.
func (f *FailedTools) News(in api.Observation) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	key := failedTool{in.TranscriptPath, in.Tool}
	if in.Error == "" {
		was := f.tools[key]
		delete(f.tools, key)
		return was
	}
	if f.tools == nil || len(f.tools) >= maxFailedTools {
		f.tools = map[failedTool]bool{} // what is lost is seen when the turns end
	}
	f.tools[key] = true
	return true
}
