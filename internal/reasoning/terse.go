package reasoning

import (
	"strings"

	"recollect/internal/prose"
	"recollect/internal/rule"
)

// Much reasoning is terse: it has no "the problem is" and no "let me", only
// what was found and what follows from it. There a passage is told by what
// holds its sentences together.

// Bounds of a terse passage.
const (
	maxTerse    = 1200 // bytes of a block that is read as terse
	minBindings = 3    // of a passage
	minBinding  = 2    // of its best sentence
)

// A binding is a way in which a sentence binds what it says together.
type binding struct {
	cues []string // one of which it has
	form *rule.Regexp
}

// bindings are a reason, a contrast, what would be otherwise or must be, what a
// rejected way would do, and two clauses of which one explains the other.
var bindings = [...]binding{
	{[]string{"because", "since", "so ", "therefore", "hence", "thus", "otherwise", "which ", "why", "due to", "mean", "depends"},
		rule.Lazy(`(?i)\b(?:because|since|so that|therefore|hence|thus|otherwise|due to|depends on|means|(?:that|which) (?:is|explains) why|that's why|that explains)\b|[,;.] so |, which `)},
	{[]string{"but", "only", "instead", "rather", " not ", "never", "still", "although", "though", "whereas", " alone", "unless", "without", "already"},
		rule.Lazy(`(?i)\b(?:but|only|instead|rather|never|still|although|though|whereas|alone|unless|without|already)\b|, not |\b(?:is|are|was|does|do|can|must|need|has|have) not\b`)},
	{[]string{"would", "can", "must", "has to", "have to", "need", "should", "better", "n't"},
		rule.Lazy(`(?i)\b(?:would|cannot|can't|can not|must|has to|have to|needs?|should not|won't|better|mustn't|doesn't|don't|isn't|aren't|no longer)\b`)},
	{[]string{"would"},
		rule.Lazy(`(?i)\bwould (?:still |again |also |only |then |just )*(?:break|fail|hide|leak|lose|block|deadlock|race|be (?:wrong|a|an|lost|empty|too|stale|slow)|not|cost|need|require|mask|read|stay|duplicate|miss|double|wake|leave|let|open|expose|drop|overwrite|collide|grow|hang|crash)\b`)},
	{[]string{": ", "; ", " -> ", " → ", " — ", " = "},
		rule.Lazy(`\w[)"'\x60]?(?:: |; | -> | → | — )[\w"'\x60(]{2}|\w = \w`)},
}

// binds counts in how many ways a sentence binds what it says.
func binds(sentence string) int {
	n, lower := 0, strings.ToLower(sentence)
	for _, b := range bindings {
		if prose.ContainsAny(lower, b.cues) && b.form.MatchString(sentence) {
			n++
		}
	}
	return n
}

// tells counts the bindings of a sentence and what it names.
func tells(sentence string) int {
	n := binds(sentence)
	if namesSomething(sentence) || measured.MatchString(sentence) {
		n++
	}
	return n
}

// measured is a number with what it counts.
var measured = rule.Lazy(`\b\d[\d.,]* ?[a-zA-Z%µ]+\b`)

// reporting is how a test or a change came out, seeking the next step, cheering
// what Claude thinks of it: nothing of that was found out. And assigning is code.
var (
	reporting = rule.Lazy(`(?i)\b(?:tests?|fix|changes?|build|patch|everything|it|all)\b.{0,30}\b(?:pass(?:es|ed|ing)?|works?|worked|working|succeed\w*|success\w*|fixed|done|complete[d]?|verified|reproduced?|confirm\w*|correct(?:ly)?)\b|\b(?:todo list|problem statement|FAILED|PASSED|SKIPPED|testbed|instance id|(?:simple|short|good) (?:question|answer)|summari[sz]e)\b`)
	seeking   = rule.Lazy(`(?i)^(?:look|read|find|check|run|see|search|open|list|verify|test|reproduce|step \d|line \d|lines \d)\b`)
	cheering  = rule.Lazy(`(?i)^(?:great|perfect|excellent|good|awesome|success|wonderful|as expected|done|now (?:it|the \w+) (?:shows?|works?|passes))\b`)
	assigning = rule.Lazy(`^[\w.\[\]]+ = |[;{}]$|=>|\w\[\w*:\w*\]$`)
)

// terse returns the passage that a terse block of reasoning comes to, if it is
// one and comes to any.
func terse(said []string) (Thought, bool) {
	weight, least := terseness(said)
	if weight == 0 {
		return Thought{}, false
	}
	var best []string
	most := 0
	for _, run := range runs(said) {
		if n := sumOf(run, tells); n > most {
			best, most = run, n
		}
	}
	conclusion, top := "", 0
	for _, s := range best {
		if n := tells(s); n >= top && binds(s) > 0 {
			conclusion, top = s, n
		}
	}
	if most < least || top < minBinding {
		return Thought{}, false
	}
	return passageOf(best, conclusion, weight)
}

// terseness returns the weight of what a block says, 0 if it is not terse, and
// how much it has to tell.
func terseness(said []string) (weight, least int) {
	if sumOf(said, size) > maxTerse {
		return 0, 0
	}
	narrated := 0
	for _, s := range said {
		switch {
		case cheering.MatchString(s):
			return 0, 0
		case strings.HasPrefix(s, "Let me "), narrating.MatchString(opening(prose.WithoutMark(s))):
			narrated++
		}
	}
	switch {
	case narrated > 1 || narrated == 1 && len(said) < 4:
		return 0, 0
	case narrated == 1:
		return plainReason, minBindings + 1
	}
	return rejection, minBindings
}

// runs cuts what was said into passages without what only narrates, supposes
// or reports, from a sentence that can be understood to one that binds, each
// of at most maxThought bytes.
func runs(said []string) [][]string {
	var out [][]string
	var run []string
	for _, s := range append(said, "") {
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
		reporting.MatchString(s) || restating.MatchString(s) || seeking.MatchString(s) || assigning.MatchString(s)
}

func trimmed(run []string) []string {
	for len(run) > 0 && tells(run[len(run)-1]) == 0 {
		run = run[:len(run)-1]
	}
	for len(run) > 0 && (prose.Pronominal.MatchString(opening(prose.WithoutMark(run[0]))) || strings.HasSuffix(run[0], "?") || len(strings.Fields(run[0])) < 3 || sumOf(run, size) > maxThought) {
		run = run[1:]
	}
	return run
}

func size(s string) int { return len(s) + 1 }

func sumOf(said []string, measure func(string) int) int {
	n := 0
	for _, s := range said {
		n += measure(s)
	}
	return n
}
