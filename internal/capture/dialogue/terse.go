package dialogue

import (
	"strings"

	"recollect/internal/text/prose"
)

// Much reasoning is terse: it has no "the problem is" and no "let me", only
// what was found and what follows from it. There a passage is recognised by what
// holds its sentences together.

// Bounds of a terse passage.
const (
	maxTerse    = 1200 // bytes of a block that is read as terse
	minBindings = 3    // of a passage
	minBinding  = 2    // of its best sentence
)

// countBinding counts in how many ways a sentence binds what it says.
func countBinding(sentence string) int {
	n, lower := 0, strings.ToLower(sentence)
	for _, b := range reasoningRules().Binding {
		if prose.ContainsAny(lower, b.Signs) && b.MatchString(sentence) {
			n++
		}
	}
	return n
}

// countFacts counts the bindings of a sentence and what it names.
func countFacts(sentence string) int {
	n := countBinding(sentence)
	if namesSomething(sentence) || reasoningRules().Measured.MatchString(sentence) {
		n++
	}
	return n
}

// terseThought returns the passage that a terse block of reasoning comes to, if it is
// one and comes to any.
func terseThought(sentences []string) (Thought, bool) {
	weight, least := terseness(sentences)
	if weight == 0 {
		return Thought{}, false
	}
	var best []string
	most := 0
	for _, run := range splitRuns(sentences) {
		if n := sumOf(run, countFacts); n > most {
			best, most = run, n
		}
	}
	conclusion, top := "", 0
	for _, s := range best {
		if n := countFacts(s); n >= top && countBinding(s) > 0 {
			conclusion, top = s, n
		}
	}
	if most < least || top < minBinding {
		return Thought{}, false
	}
	t, ok := passageOf(best, conclusion, weight)
	t.Rule = tersePassage
	return t, ok
}

// terseness returns the weight of what a block says, 0 if it is not terse, and
// how many bindings it must have.
func terseness(sentences []string) (weight weight, least int) {
	if sumOf(sentences, sizeOf) > maxTerse {
		return 0, 0
	}
	narrated := 0
	for _, s := range sentences {
		switch {
		case reasoningRules().Cheering.MatchString(s):
			return 0, 0
		case strings.HasPrefix(s, "Let me "), reasoningRules().Narrating.MatchString(cutOpening(prose.WithoutMark(s))):
			narrated++
		}
	}
	switch {
	case narrated > 1 || narrated == 1 && len(sentences) < 4:
		return 0, 0
	case narrated == 1:
		return plainReason, minBindings + 1
	}
	return rejection, minBindings
}

// splitRuns cuts what was said into passages without what only narrates, supposes
// or reports, from a sentence that can be understood to one that binds, each
// of at most maxThought bytes.
func splitRuns(sentences []string) [][]string {
	var out [][]string
	var run []string
	for _, s := range append(sentences, "") {
		if s != "" && !standsApart(s) {
			run = append(run, s)
			continue
		}
		if run = trimRun(run); len(run) > 0 {
			out = append(out, run)
		}
		run = nil
	}
	return out
}

// standsApart reports whether a sentence belongs to no passage. A question does if its
// answer follows.
func standsApart(s string) bool {
	rules := reasoningRules()
	switch {
	case len(s) > maxLong, strings.Contains(s, "```"), strings.HasSuffix(s, ":"), prose.IsListed(s), isIdle(strings.TrimSuffix(s, "?")):
		return true
	case rules.Reporting.MatchString(s), rules.Restating.MatchString(s), rules.Seeking.MatchString(s), rules.Assigning.MatchString(s):
		return true
	}
	return false
}

func trimRun(run []string) []string {
	for len(run) > 0 && countFacts(run[len(run)-1]) == 0 {
		run = run[:len(run)-1]
	}
	for len(run) > 0 && (isNoBeginning(run[0]) || sumOf(run, sizeOf) > maxThought) {
		run = run[1:]
	}
	return run
}

// isNoBeginning reports whether a passage does not begin with a sentence: one that asks, says too little, or
// points to another.
func isNoBeginning(s string) bool {
	return strings.HasSuffix(s, "?") || len(strings.Fields(s)) < 3 || prose.Pronominal(cutOpening(prose.WithoutMark(s)))
}

func sizeOf(s string) int { return len(s) + 1 }

func sumOf(sentences []string, measure func(string) int) int {
	n := 0
	for _, s := range sentences {
		n += measure(s)
	}
	return n
}
