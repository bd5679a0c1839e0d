package api

import (
	"time"

	"recollect/internal/memory"
)

// Stats are the numbers of memories, of injections and their use, and the times that recalls
// took: since a time, or always where that is zero. Recalls, captures and the like are counted
// by day, for 90 days.
type Stats struct {
	Since         time.Time                      `json:"since,omitzero"`
	Sources       map[memory.Source]*SourceStats `json:"sources"` // every source
	Events        map[string]*EventStats         `json:"events"`  // of Claude Code, at which memories were asked for
	Captured      int                            `json:"captured"`
	CaptureFailed int                            `json:"capture_failed"`
	Expired       int                            `json:"expired"`    // memories that were deleted for their age or number
	CacheHits     int                            `json:"cache_hits"` // answers about a tool call that came from the cache
	CacheMisses   int                            `json:"cache_misses"`
}

// SourceStats are the numbers of a source.
type SourceStats struct {
	Memories int `json:"memories"` // now
	Added    int `json:"added"`    // of those, recorded in the time
	Injections
}

// EventStats are the numbers of an event.
type EventStats struct {
	Recalls int     `json:"recalls"` // requests
	Empty   int     `json:"silent"`  // of those, answered with nothing
	Failed  int     `json:"failed"`  // of those, not answered, or too late
	P50     float64 `json:"p50_ms"`  // of the time in the daemon, in milliseconds
	P95     float64 `json:"p95_ms"`
	Injections
}

// Injections count memories injected into sessions, each once a session. Not all are assessed:
// a turn may not have ended, or may be missing.
type Injections struct {
	Injected int `json:"injected"`
	Assessed int `json:"judged"`
	Used     int `json:"used"`   // of the assessed
	Tokens   int `json:"tokens"` // spent, estimated, without the frame around it
}

// Count counts an injection; used is nil where it was not assessed.
func (i *Injections) Count(tokens int, used *bool) {
	i.Injected++
	i.Tokens += tokens
	if used == nil {
		return
	}
	i.Assessed++
	if *used {
		i.Used++
	}
}

// Event returns the counts of an event, empty ones if there are none yet.
func (s *Stats) Event(name string) *EventStats {
	if s.Events[name] == nil {
		s.Events[name] = &EventStats{}
	}
	return s.Events[name]
}
