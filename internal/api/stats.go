package api

import (
	"fmt"
	"time"

	"recollect/internal/memory"
)

// Stats has the numbers of memories and injections, their use, and the times that recalls
// took, since a time or, if it is zero, always. Recalls, captures and the like are counted by
// day, for 90 days.
type Stats struct {
	Since         time.Time                      `json:"since,omitzero"`
	Sources       map[memory.Source]*SourceStats `json:"sources"` // every source
	Events        map[string]*EventStats         `json:"events"`  // by the name of Claude Code's event
	Captured      int                            `json:"captured"`
	CaptureFailed int                            `json:"capture_failed"`
	Expired       int                            `json:"expired"`    // memories that retention deleted
	CacheHits     int                            `json:"cache_hits"` // answers about tool calls that came from the cache
	CacheMisses   int                            `json:"cache_misses"`
}

// Habits are what became of the newest memories that were injected with prompts, and what recall learned from that.
type Habits struct {
	Injected int                       `json:"injected"`          // of which it is known whether they were used
	Used     int                       `json:"used"`              // of those
	Useful   int                       `json:"useful"`            // that the owner found useful
	Wrong    int                       `json:"wrong"`             // or wrong
	Worth    float64                   `json:"worth"`             // added to the log odds of a prompt, -0.5 to 0
	Sources  map[memory.Source]float64 `json:"sources,omitempty"` // added to the scores of statements, -0.25 to 0.25
}

// Of returns what is added to the scores of the statements of a source. A nil Habits adds nothing.
func (h *Habits) Of(src memory.Source) float64 {
	if h == nil {
		return 0
	}
	return h.Sources[src]
}

// String says what the owner made use of before, and what follows from that for prompts.
func (h *Habits) String() string {
	text := fmt.Sprintf("what you made use of before: %d of %d", h.Used, h.Injected)
	if h.Useful+h.Wrong > 0 {
		text += fmt.Sprintf(", %d marked useful and %d wrong", h.Useful, h.Wrong)
	}
	if h.Worth == 0 {
		return text + ", as usual"
	}
	return fmt.Sprintf("%s, so less is injected (%.2f)", text, h.Worth)
}

// SourceStats has the numbers of a source.
type SourceStats struct {
	Memories int `json:"memories"` // now
	Added    int `json:"added"`    // of those, recorded since the time
	Injections
}

// EventStats has the numbers of an event.
type EventStats struct {
	Recalls int     `json:"recalls"` // requests
	Empty   int     `json:"silent"`  // of those, answered with nothing
	Failed  int     `json:"failed"`  // of those, answered too late or not at all
	P50     float64 `json:"p50_ms"`  // of the time in the daemon, in milliseconds
	P95     float64 `json:"p95_ms"`
	Injections
}

// Injections counts the memories that were injected, each once a session. Some are not assessed,
// because their turn has not ended or is missing.
type Injections struct {
	Injected int `json:"injected"`
	Assessed int `json:"judged"`
	Used     int `json:"used"`   // of the assessed
	Tokens   int `json:"tokens"` // estimated, with the frame around the memories
}

// Count counts an injection; used is nil if it was not assessed.
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

// Event returns the numbers of an event, and adds empty ones if there are none.
func (s *Stats) Event(name string) *EventStats {
	if s.Events[name] == nil {
		s.Events[name] = &EventStats{}
	}
	return s.Events[name]
}
