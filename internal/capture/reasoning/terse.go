package reasoning

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

// binds counts in how many ways a sentence binds what it says.
func binds(sentence string) int {
	n, lower := 0, strings.ToLower(sentence)
	for _, b := range reasoningRules().Binding {
		if prose.ContainsAny(lower, b.Cues) && b.MatchString(sentence) {
			n++
		}
	}
	return n
}

// facts counts the bindings of a sentence and what it names.
func facts(sentence string) int {
	n := binds(sentence)
	if namesSomething(sentence) || reasoningRules().Measured.MatchString(sentence) {
		n++
	}
	return n
}

// terse returns the passage that a terse block of reasoning comes to, if it is
// one and comes to any.
func terse(sentences []string) (Thought, bool) {
	weight, least := terseness(sentences)
	if weight == 0 {
		return Thought{}, false
	}
	var best []string
	most := 0
	for _, run := range runs(sentences) {
		if n := sumOf(run, facts); n > most {
			best, most = run, n
		}
	}
	conclusion, top := "", 0
	for _, s := range best {
		if n := facts(s); n >= top && binds(s) > 0 {
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
	if sumOf(sentences, size) > maxTerse {
		return 0, 0
	}
	narrated := 0
	for _, s := range sentences {
		switch {
		case reasoningRules().Cheering.MatchString(s):
			return 0, 0
		case strings.HasPrefix(s, "Let me "), reasoningRules().Narrating.MatchString(opening(prose.WithoutMark(s))):
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

// runs cuts what was said into passages without what only narrates, supposes
// or reports, from a sentence that can be understood to one that binds, each
// of at most maxThought bytes.
func runs(sentences []string) [][]string {
	var out [][]string
	var run []string
	for _, s := range append(sentences, "") {
		if s != "" && !apart(s) {
			run = append(run, s)
			continue
		}
		if run = trimmed(run); len(run) > 0 {
			out = append(out, run)
		}
		run = nil
	}
	return out
}

// apart reports a sentence that belongs to no passage. A question does if its
// answer follows.
func apart(s string) bool {
	return idle(strings.TrimSuffix(s, "?")) || len(s) > maxLong || strings.Contains(s, "```") || prose.IsListed(s) || strings.HasSuffix(s, ":") ||
		reasoningRules().Reporting.MatchString(s) || reasoningRules().Restating.MatchString(s) || reasoningRules().Seeking.MatchString(s) || reasoningRules().Assigning.MatchString(s)
}

func trimmed(run []string) []string {
	for len(run) > 0 && facts(run[len(run)-1]) == 0 {
		run = run[:len(run)-1]
	}
	for len(run) > 0 && (prose.Pronominal(opening(prose.WithoutMark(run[0]))) || strings.HasSuffix(run[0], "?") || len(strings.Fields(run[0])) < 3 || sumOf(run, size) > maxThought) {
		run = run[1:]
	}
	return run
}

func size(s string) int { return len(s) + 1 }

func sumOf(sentences []string, measure func(string) int) int {
	n := 0
	for _, s := range sentences {
		n += measure(s)
	}
	return n
}
