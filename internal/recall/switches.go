package recall

import (
	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/recall/brief"
)

// A memory's text reaches a block in more ways than by its own relevance: as part of its session's
// brief, because its session leads, because the prompt asks about past work, as a name. Whatever way
// it takes, the settings of its own source hold.

// least returns the relevance that a memory of a source needs by itself.
func (req *Request) least(src memory.Source) float64 {
	return max(req.Settings.Sources.Of(src).MinRelevance, req.leastOfAll)
}

// isRaised reports whether the user asks for more relevance of a source than is shipped. Then no
// way around that leads past it.
func (req *Request) isRaised(src memory.Source) bool {
	return req.Settings.Sources.Of(src).MinRelevance > config.MinRelevance || req.leastOfAll > config.ToolRelevance
}

// isSingledOut reports whether the user asks for more relevance of a source than of the others. Then
// nothing of it is named that needs more.
func (req *Request) isSingledOut(src memory.Source) bool {
	return req.Settings.Sources.Of(src).MinRelevance > req.Settings.Sources.MinRelevance
}

// mayInject reports whether a memory may be injected as part of its session, by which the prompt found
// another.
func (t *injection) mayInject(m *memory.Memory) bool {
	if !t.req.Settings.Sources.Of(m.Source).Enabled {
		return false
	}
	c := t.byID[m.ID]
	return !t.req.isRaised(m.Source) || c != nil && c.relevance >= t.req.least(m.Source)
}

// withoutRaised leaves out of briefs what is of a source of which the user asks for more relevance
// than is shipped.
func (req *Request) withoutRaised(briefs []brief.Brief) []brief.Brief {
	if req.isRaised(memory.Handoffs) {
		return nil
	}
	for i := range briefs {
		if req.isRaised(memory.Journal) {
			briefs[i].Decisions = nil
		}
	}
	return briefs
}
