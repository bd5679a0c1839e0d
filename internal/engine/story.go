package engine

import (
	"fmt"
	"slices"

	"recollect/internal/api"
	"recollect/internal/capture/extract"
	"recollect/internal/engine/usage"
	"recollect/internal/memory"
	"recollect/internal/recall"
	"recollect/internal/text/consolidate"
)

// speakers say who stated a memory, by its origin.
var speakers = map[string]string{
	memory.OriginUser: "you said so", memory.OriginAssistant: "Claude said so", memory.OriginTool: "a tool's output said so",
	memory.OriginWeb: "a page said so", memory.OriginTeam: "a file in the repository says so",
}

// tellStory adds to a memory what happened to it.
func (e *Engine) tellStory(m *api.Shown) {
	m.Story = append(m.Story, originOf(&m.Memory))
	if m.IsCandidate() {
		m.Story = append(m.Story, api.Step{What: fmt.Sprintf("a candidate: with a probability of %.2f it is meant to last", m.Candidate)})
		if m.IsRefused() {
			m.Story = append(m.Story, api.Step{What: m.Stands})
		}
	} else if why := extract.WhyStands(&m.Memory); why != "" {
		m.Story = append(m.Story, api.Step{What: "stands: " + why})
	}
	if n := len(m.ConfirmedBy); n > 0 {
		m.Story = append(m.Story, api.Step{At: m.LastSeen, What: "said again in " + countNoun(n, "other turn")})
	}
	for _, id := range m.Supersedes {
		if old, err := e.Store.GetEither(id); err == nil && !old.Deleted {
			m.Story = append(m.Story, api.Step{At: m.When(), What: relationOf(&m.Memory, "withdraws: ", "takes the place of: ") + old.Title, ID: id})
		}
	}
	m.Story = append(m.Story, e.tellUse(m.ID)...)
	if m.SupersededBy == "" {
		return
	}
	if newer, err := e.Store.GetEither(m.SupersededBy); err == nil {
		m.Story = append(m.Story, api.Step{At: newer.When(), What: relationOf(&newer, "withdrawn by: ", "superseded by: ") + newer.Title, ID: newer.ID})
	}
}

// originOf says when and by whom a memory was stated.
func originOf(m *memory.Memory) api.Step {
	said := speakers[m.Origin]
	switch {
	case m.Turn == "" && m.Origin != memory.OriginTeam:
		said = "stored on purpose"
	case said == "":
		said = "it was said"
	}
	if m.Session != "" {
		said += " in session " + m.Session
	}
	return api.Step{At: m.OccurredAt, What: said}
}

// relationOf returns one of two words for what a newer memory does to an older one: withdraw it, or take its place.
func relationOf(newer *memory.Memory, withdraws, replaces string) string {
	if consolidate.IsWithdrawal(newer.Evidence) {
		return withdraws
	}
	return replaces
}

// tellUse returns when a memory was injected, and what came of it.
func (e *Engine) tellUse(id string) []api.Step {
	var out []api.Step
	injected := e.usage.OfMemory(id)
	if len(injected) > 0 {
		out = []api.Step{{At: injected[len(injected)-1].Last, What: "injected, in " + countNoun(len(injected), "session") + " so far"}}
	}
	if used := slices.DeleteFunc(injected, func(t usage.Injection) bool { return t.Used == nil || !*t.Used }); len(used) > 0 {
		out = append(out, api.Step{At: used[len(used)-1].Last, What: "used by Claude, in " + countNoun(len(used), "session") + " so far"})
	}
	switch said := e.usage.Verdicts.Of(id); said.Says {
	case api.Useful:
		out = append(out, api.Step{At: said.At, What: "you said that it is useful"})
	case api.Wrong:
		out = append(out, api.Step{At: said.At, What: recall.SaidWrong + ": it is not injected"})
	}
	return out
}
