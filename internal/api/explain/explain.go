// Package explain puts in words what an explanation says, for everybody who shows one, in a terminal,
// to Claude or on a page: what became of a candidate, what its numbers are made of, why nothing is
// injected, and why results may be incomplete. It also picks the past prompts of
// the user that can be explained again, to see what a change of the settings would do.
package explain

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"recollect/internal/api"
)

// Injected reports whether a candidate is injected, in whatever form.
func Injected(c api.Candidate) bool {
	return slices.Contains([]string{api.OutcomeInjected, api.OutcomeHeading, api.OutcomeBrief, api.OutcomeUnsure}, c.Outcome)
}

// HeldBack reports whether a candidate is held back: neither injected, nor the result of a search.
func HeldBack(c api.Candidate) bool { return !Injected(c) && c.Outcome != api.OutcomeFound }

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

// Relevance shows a relevance, the one that is required, and the activity that the memory bears on,
// if any: a search requires none.
func Relevance(c api.Candidate) string {
	text := fmt.Sprintf("relevance %.2f", c.Relevance)
	if c.Required > 0 {
		text += fmt.Sprintf(", needs %.2f", c.Required)
	}
	if c.Bears != "" {
		text += ", bears on: " + c.Bears
	}
	return text
}

// A Lack is a part of the search that did not do all of its work, and why.
type Lack struct{ Part, Why string }

// Lacks names what makes results incomplete: the index while it is behind, and retrievers that failed.
func Lacks(e api.Explanation) (out []Lack) {
	if e.Index != api.IndexReady && e.Index != "" {
		out = append(out, Lack{"index", e.Index + ": results are incomplete"})
	}
	for _, r := range e.Retrievers {
		if r.State != api.RetrieverReady && r.State != api.RetrieverUnused {
			out = append(out, Lack{r.Name, r.State + ": results are incomplete"})
		}
	}
	return out
}

// Past says that the prompt asks about past work, and what; "" if it does not.
func Past(e api.Explanation) string {
	if e.Past == "" {
		return ""
	}
	return "the prompt asks about past work: " + e.Past
}

// leastPart is what a part of a relevance adds at least to be shown.
const leastPart = 0.05

// A Part is what one feature adds to the sum that a relevance is computed from.
type Part struct {
	Name string
	Adds float64
}

// Parts returns what each feature of a candidate adds. Features that add next to nothing are left out,
// but never the bias, which is the last.
func Parts(c api.Candidate) (out []Part) {
	for i, f := range c.Parts {
		p := Part{f.Name, f.Value * f.Weight}
		if math.Abs(p.Adds) >= leastPart || i == len(c.Parts)-1 {
			out = append(out, p)
		}
	}
	return out
}
