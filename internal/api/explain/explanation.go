// Package explain puts in words what an explanation says, for everybody who shows one:
// what became of a candidate, and why nothing is injected. It also picks the past prompts of
// the user that can be explained again, to see what a change of the settings would do.
package explain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"recollect/internal/api"
	"recollect/internal/memory"
)

// Injected reports whether a candidate is injected, in whatever form.
func Injected(c api.Candidate) bool {
	return slices.Contains([]string{api.OutcomeInjected, api.OutcomeHeading, api.OutcomeBrief, api.OutcomeUnsure}, c.Outcome)
}

// Outcome says in words what became of a candidate. The numbers are shown
// beside it; the id of the memory that supersedes it, with the parts.
func Outcome(c api.Candidate) string {
	switch c.Outcome {
	case api.OutcomeInjected:
		return "injected"
	case api.OutcomeHeading:
		return "injected as a heading"
	case api.OutcomeBrief:
		return "injected in the brief of its session"
	case api.OutcomeUnsure:
		return "injected as a heading that may bear on it"
	case api.OutcomeFound:
		return "found"
	case api.OutcomeAlready:
		return "held back: already injected in this session"
	case api.OutcomeNotBefore:
		return "held back: was not injected before the compaction"
	}
	switch {
	case strings.HasPrefix(c.Outcome, api.OutcomeTooLow):
		return "held back: relevance too low"
	case strings.HasPrefix(c.Outcome, api.OutcomeSuperseded):
		return "held back: superseded"
	}
	return "held back: " + c.Outcome
}

// WhyNothing says why nothing is injected, by the outcome of the most relevant candidate.
func WhyNothing(e api.Explanation) string {
	switch {
	case e.Skipped != "":
		return e.Skipped
	case len(e.Candidates) == 0 && e.Past != "":
		return "the prompt asks about past work (" + e.Past + "), and this session has all that is known, or nothing is"
	case len(e.Candidates) == 0:
		return "no memory has anything in common with the prompt"
	}
	nearest := slices.MaxFunc(e.Candidates, func(a, b api.Candidate) int { return cmp.Compare(a.Relevance, b.Relevance) })
	if nearest.Relevance < nearest.Required {
		return fmt.Sprintf("no memory is relevant enough; the most relevant has relevance %.2f and needs %.2f", nearest.Relevance, nearest.Required)
	}
	return fmt.Sprintf("the most relevant memory, %s, was %s", nearest.ID, Outcome(nearest))
}

// A Prompt is one that the user typed, with the session and the folder in which that was.
type Prompt struct{ Text, Session, Dir string }

// Prompts returns the prompts that episodes, the newest first, were made of: count at most,
// each once.
func Prompts(episodes []api.Shown, count int) []Prompt {
	var out []Prompt
	for _, m := range episodes {
		text := cmp.Or(m.Evidence, m.Title) // the title of a turn is not always its prompt
		again := slices.ContainsFunc(out, func(p Prompt) bool { return p.Text == text })
		if m.Source == memory.Episodes && m.Agent == "" && !again && len(out) < count {
			out = append(out, Prompt{text, m.Session, m.ProjectPath})
		}
	}
	return out
}

// Lacking returns the candidates of list that are not in other.
func Lacking(list, other []api.Candidate) (out []api.Candidate) {
	for _, c := range list {
		if !slices.ContainsFunc(other, func(o api.Candidate) bool { return o.ID == c.ID }) {
			out = append(out, c)
		}
	}
	return out
}
