// Package explain puts an explanation into words, the same in a terminal, for Claude and on a page:
// the outcome of a candidate, the parts of its relevance, why nothing is injected, and why results may
// be incomplete. It also lists past prompts of the user, on which a change of the settings can be tried.
package explain

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"recollect/internal/api"
)

// Injected reports whether a candidate is injected, in any form.
func Injected(c api.Candidate) bool {
	return slices.Contains([]string{api.OutcomeInjected, api.OutcomeHeading, api.OutcomeBrief}, c.Outcome)
}

// HeldBack reports whether a candidate is neither injected nor the result of a search.
func HeldBack(c api.Candidate) bool { return !Injected(c) && c.Outcome != api.OutcomeFound }

// Outcome returns the outcome of a candidate in words, without the relevance
// that it needs and the id of the memory that supersedes it.
func Outcome(c api.Candidate) string {
	switch c.Outcome {
	case api.OutcomeInjected:
		return "injected"
	case api.OutcomeHeading:
		return "injected as a heading"
	case api.OutcomeBrief:
		return "injected in the brief of its session"
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

// Story returns what happened to a memory, a line for each step.
func Story(m api.Shown) []string {
	var out []string
	for _, s := range m.Story {
		line := s.What
		if !s.At.IsZero() {
			line = s.At.Local().Format(time.DateOnly) + ": " + line
		}
		if s.ID != "" {
			line += " (" + s.ID + ")"
		}
		out = append(out, line)
	}
	return out
}

// Occasion returns what a request for memories was made for; prompt is the part of its prompt that is shown.
func Occasion(r api.Recalled, prompt string) string {
	switch r.Event {
	case "SessionStart":
		return "session begins (" + r.Prompt + ")"
	case "PreToolUse":
		return fmt.Sprintf("call %q", prompt)
	case "SubagentStart":
		return fmt.Sprintf("sub-agent %q", prompt)
	}
	return fmt.Sprintf("%q", prompt)
}

// Held returns what became of a request with which nothing was injected.
func Held(r api.Recalled) string {
	if r.Guard != "" {
		return r.Why
	}
	return "nothing: " + r.Why
}

// WhyNothing returns why nothing is injected: mostly the outcome of the most relevant candidate.
func WhyNothing(e api.Explanation) string {
	examined := slices.DeleteFunc(slices.Clone(e.Candidates), func(c api.Candidate) bool { return c.Outcome == api.OutcomeNotExamined })
	switch {
	case e.Skipped != "":
		return e.Skipped
	case len(examined) == 0:
		return whyFoundNothing(e)
	}
	nearest := slices.MaxFunc(examined, func(a, b api.Candidate) int { return cmp.Compare(a.Relevance, b.Relevance) })
	if nearest.Relevance < nearest.Required {
		return fmt.Sprintf("no memory is relevant enough; the most relevant has relevance %.2f and needs %.2f", nearest.Relevance, nearest.Required)
	}
	given := ""
	if nearest.Outcome != api.OutcomeAlready && e.Session != nil && slices.Contains(e.Session.Injected, nearest.ID) {
		given = "; this session was given something of " + nearest.ID + " before"
	}
	if nearest.Outcome == api.OutcomeNotNeeded {
		return Worth(e) + given
	}
	return fmt.Sprintf("the most relevant memory, %s, was %s", nearest.ID, Outcome(nearest)) + given
}

// whyFoundNothing returns why there is nothing to choose from. Candidates of a prompt that needs nothing are not read.
func whyFoundNothing(e api.Explanation) string {
	found := e.Worth != nil && len(e.Worth.Parts) > 0
	switch {
	case e.Past != "" && e.Session != nil && len(e.Session.Injected) > 0:
		return "the prompt asks about past work (" + e.Past + "), of which nothing is known but what this session was given before"
	case e.Past != "":
		return "the prompt asks about past work (" + e.Past + "), of which nothing is known"
	case found && e.Worth.Value < e.Worth.Required:
		return Worth(e)
	case found:
		return "no memory is relevant enough"
	}
	return "no memory has anything in common with the prompt"
}

// Worth says how likely the prompt is to need something of earlier sessions, and by what words that may be
// told; "" where that was not asked.
func Worth(e api.Explanation) string {
	w := e.Worth
	if w == nil {
		return ""
	}
	text := fmt.Sprintf("the prompt needs something of earlier sessions with a probability of %.2f, and %.2f is required", w.Value, w.Required)
	if len(w.Shared) == 0 {
		text += "; it shares no word with a memory that was not said in this session"
	} else {
		text += "; it shares " + strings.Join(w.Shared[:min(sharedShown, len(w.Shared))], ", ") + " with a memory, not said in this session"
	}
	if w.Learned != nil {
		text += "; " + w.Learned.String()
	}
	return text
}

// sharedShown is how many of the words that prompt and memories share are shown, the rarest.
const sharedShown = 3

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

// Settings says that older settings are in force, because of the first of the mistakes in problem; "" for none.
func Settings(problem string) string {
	if problem == "" {
		return ""
	}
	first, _, _ := strings.Cut(problem, "\n")
	return "older settings are in force: " + first
}

// A Lack is a part of the search that is incomplete, and why.
type Lack struct{ Part, Why string }

// Lacks returns why results are incomplete: the index lacks memories, or a retriever failed.
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

// Past returns what the prompt asks about past work, in words; "" if nothing.
func Past(e api.Explanation) string {
	if e.Past == "" {
		return ""
	}
	return "the prompt asks about past work: " + e.Past
}

// leastPart is the least that a feature must add or subtract to be shown.
const leastPart = 0.05

// A Part is what one feature adds to the sum from which a relevance is computed.
type Part struct {
	Name string
	Adds float64
}

// Parts returns what each feature of a candidate adds. It leaves out features that add less than
// leastPart, but not the bias, which is last.
func Parts(c api.Candidate) (out []Part) {
	for i, f := range c.Parts {
		p := Part{f.Name, f.Value * f.Weight}
		if math.Abs(p.Adds) >= leastPart || i == len(c.Parts)-1 {
			out = append(out, p)
		}
	}
	return out
}
