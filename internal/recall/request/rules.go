package request

import (
	"recollect/internal/config"
	"recollect/internal/memory"
	"recollect/internal/share/repo"
)

// A memory's text reaches a block in more ways than by its own relevance: as part of its session's
// brief, because its session leads, because the prompt asks about past work, as a name. Whatever way
// it takes, the settings of its own source hold.

// Least returns the relevance that a memory of a source needs by itself.
func (req *Request) Least(src memory.Source) float64 {
	return max(req.Settings.Sources.Of(src).MinRelevance, req.leastOfAll)
}

// IsRaised reports whether the user has set a higher min_relevance for a source than the shipped one. It
// then holds for every way in which a memory of the source could be injected.
func (req *Request) IsRaised(src memory.Source) bool {
	return req.Settings.Sources.Of(src).MinRelevance > config.MinRelevance || req.leastOfAll > config.ToolRelevance
}

// KnownOtherwise reports whether Claude has m in its context: it was injected, the
// instructions cover it, or it is the session's own handoff, which the summary of a compaction
// repeats.
func (req *Request) KnownOtherwise(m *memory.Memory) bool {
	ownHandoff := m.Source == memory.Handoffs && m.Session != "" && m.Session == req.Session.ID
	return ownHandoff || IsInjected(req.Session.Injected, m.ID, m.ContentKey()) || req.Instructions.Cover(m)
}

const OtherTeam = "shared by the team of another folder, which this one does not read"

// IsOfOtherTeam reports whether m comes from the files of another folder, a clone of this
// repository included, and nobody asked for that by its path. Whoever can write to one
// repository has nothing to say in another, whatever its name. What comes over a server is
// of all checkouts with one remote.
func (req *Request) IsOfOtherTeam(m *memory.Memory) bool {
	if repo.IsReceived(m) {
		return m.ProjectRemote == "" || m.ProjectRemote != req.Project.Remote
	}
	return m.Source == memory.Team && m.ProjectPath != req.Project.Path && m.ProjectPath != req.Filter.Project
}

// ToolSources are the sources of what is injected before a tool call: what went wrong before, and
// what the user wants or has decided.
var ToolSources = []memory.Source{memory.Failures, memory.Patterns, memory.Preferences, memory.Journal}

// ForTools narrows a request to the sources, budget and threshold of tool calls, for a task that is
// handed to a sub-agent.
func (req *Request) ForTools() {
	req.Filter.Sources = ToolSources
	s := &req.Settings
	s.Budget.Tokens = min(s.Budget.Tokens, s.Tools.Tokens)
	s.Budget.Items = min(s.Budget.Items, s.Tools.Items)
	req.leastOfAll = s.Tools.MinRelevance
}
