package reasoning

import (
	"slices"
	"strings"

	"recollect/internal/prose"
	"recollect/internal/rule"
)

// How much a conclusion tells. A reason that stands for itself tells least.
const (
	plainReason = iota + 1
	rejection
	cause
)

// A conclusion is a way in which reasoning comes to an end. Each sentence that
// has its form has one of its cues: to look for them first saves most of the
// time.
type conclusion struct {
	weight int
	cues   []string
	form   *rule.Regexp
}

// concluding are all we know. The first that fits counts.
var concluding = []conclusion{
	// what is wrong, and why
	{cause, []string{"root cause"}, phrase(`root cause`)},
	{cause, []string{"turn"}, phrase(`turns? out`)},
	{cause, wrong, phrase(`the (?:real|actual|underlying|main|key|core|fundamental)? ?(?:issue|problem|bug|cause|culprit|reason|catch|mistake|trick|difference) (?:here |then )?(?:is|was|comes from|stems from) `)},
	{cause, wrong, phrase(`the (?:real |actual |underlying |main )?(?:issue|problem|bug|cause|culprit|reason|catch|trick|difference)(?: here)?: \w`)},
	{cause, []string{"why"}, phrase(`(?:that's|that is|this is|which is) (?:exactly )?why `)},
	{cause, []string{"because"}, phrase(`(?:this|that|it|which) (?:happens|happened|occurs|fails|failed|breaks|works|is) (?:only |mainly )?because `)},
	// what will not do, and what is better
	{rejection, []string{"because ", "since ", "so that's", "as it", "as they", "due to ", "without "}, phrase(`(?:won't|will not|doesn't|does not|can't|cannot|can not|wouldn't|couldn't|isn't|is not|are not|aren't|don't|do not|didn't|never) .*\b(?:because|since|so that's|as it|as they|due to|without) `)},
	{rejection, []string{"n't", "not"}, phrase(`(?:should not|shouldn't|must not|mustn't|better not to) .*\b(?:because|since|as it|or else|otherwise) `)},
	{rejection, []string{"than ", "because ", "since "}, phrase(`(?:better|safer|simpler|cleaner|cheaper|faster|more robust|more reliable|preferable) (?:to .+ )?(?:than|because|since) `)},
	{rejection, []string{"rather than "}, phrase(`rather than .*\b(?:because|since|so that) `)},
	{rejection, []string{"approach", "fix", "solution", "way", "option", "choice", "place"}, phrase(`(?:the )?(?:best|right|correct|proper|cleanest|simplest|safest) (?:approach|fix|solution|way|option|choice|place) .{0,60}?\b(?:is|would be) (?:to )?`)},
	{rejection, []string{"the fix", "the solution", "the workaround", "the answer"}, phrase(`the (?:fix|solution|workaround|answer) (?:here )?is (?:to |that |simply )`)},
	{rejection, []string{"option "}, phrase(`\boption [a-z0-9]\b.*\b(?:because|since|but|so)\b`)},
	// what holds, against expectation
	{plainReason, []string{" not "}, phrase(`(?:is|are|was) (?:not|NOT) (?:currently |yet |actually |really )?(?:available|supported|implemented|possible|exposed|defined|called|installed|needed|necessary|required|part of)\b`)},
	{plainReason, []string{"n't ", " not ", "no longer ", "cannot "}, phrase(`(?:doesn't|don't|does not|do not|no longer|cannot|can't) (?:support|handle|accept|allow|exist|provide|expose|receive)`)},
	{plainReason, []string{"only "}, phrase(`only (?:runs?|works?|fires?|applies|apply|supports?|accepts?|happens?|matches|handles|triggers?|checks?|covers?) (?:when|if|on|for|with|in|once|after|before|inside)\b`)},
	// reasons
	{plainReason, []string{"because ", "since ", "due to "}, phrase(`(?:fails?|failed|breaks?|broke|crash(?:es|ed)?|missing|wrong|invalid|ignored|skipped|overwritten|empty|undefined|hangs?|leaks?|stale|slow) .*\b(?:because|since|due to) `)},
	{plainReason, []string{"because "}, phrase(`[^(]because .*\b(?:only|never|always|already|not|doesn't|isn't|no longer|instead|before|after|requires?|expects?|assumes?|returns?)\b`)},
}

// wrong are names of what is wrong, or makes it so.
var wrong = []string{"issue", "problem", "bug", "cause", "culprit", "reason", "catch", "mistake", "trick", "difference"}

// hasCue reports whether a sentence, in lower case, may be a conclusion.
func hasCue(lower string) bool {
	return slices.ContainsFunc(concluding, func(c conclusion) bool { return prose.ContainsAny(lower, c.cues) })
}

func phrase(form string) *rule.Regexp { return rule.Lazy(`(?i)(?:^|[^\w])` + form) }

// leadIn is what a sentence may begin with that says nothing.
var leadIn = rule.Lazy(`(?i)^(?:(?:wait|actually|ok|okay|so|ah|aha|hmm+|good|great|perfect|excellent|interesting|right|yes|no|indeed|now|but|and|well|oh|oops|alright|i see|also|ok so|however|thinking about it(?: more)?|looking more carefully(?: at the \w+)?)(?:[,.!:—]+ *| (?:i see|i understand)[,.:!]? *| - |, )|(?:so|now|but|and|also|actually|in fact|basically|i (?:now )?(?:see|understand|found|realize|realized|notice)(?: now)?(?: that)?|i can (?:now )?see(?: now)?(?: that)?|now i (?:see|understand)(?: that)?)[,:]? +)`)

// narrating is what begins a sentence about the next step, the user, or
// Claude's own doing.
var narrating = rule.Lazy(`(?i)^(?:let me|(?:it )?looks like|the (?:command|output|script) (?:ran|shows|worked)|let's|now,? (?:let|i)|i(?:'ll| will| need| should| want| must| can| could| have| am|'m|'ve|'d| was| did| ran| used| made| tried| think| believe| would)\b|i(?:'m| am) |we (?:need|should|can|could|have) |first,|next,|then,? i|the user|user |looking at|based on|reading|to (?:fix|do|test|verify|understand|check|see)\b|(?:all )?(?:tests?|everything|changes?) (?:now )?(?:pass|work|look)|the (?:test|fix|change|implementation|patch|bug|issue)s? (?:(?:is|are|has|have|was|were|now) )?(?:been )?(?:now )?(?:work|pass|complet|confirm|verif|fix|correct|success|good|reproduc)|my |maybe|perhaps|what if|if (?:i|we|so|not|the user)\b|should i|is |are |does |do (?:i|we|you|they) |can |why |how |what |so the (?:question|plan))`)

// unsure marks what is only supposed, which reasoning often goes on to refute,
// and what Claude does or tries itself.
var unsure = rule.Lazy(`(?i)\b(?:might|maybe|perhaps|possibly|probably|likely|seems?|seemingly|appears? to|could be|may be|may have|not sure|unclear|presumably|let me|let's|as of my|knowledge cutoff|my (?:knowledge|training)|training data|the user|users? wants?|(?:my|our) (?:new )?(?:tests?|script|command|changes?|fix|edits?|code|solution)|me to)\b|\b(?-i:I)(?:'\w+)?\b`)

// leaning is what begins a sentence that needs the one before it.
var leaning = rule.Lazy(`(?i)^(?:this|that|that's|it|its|these|those|they|he|she|so|but|however|which|therefore|thus|hence|and|also|then|instead|both|the (?:fix|solution|same|latter|former))\b`)

// following is what begins a sentence that belongs to the one before it.
var following = rule.Lazy(`(?i)^(?:so|therefore|thus|hence|this means|that means|which means|as a result|consequently|because|since|the (?:fix|solution) is|instead)\b`)

// weigh returns how much the conclusion tells that a sentence comes to, 0 if
// it comes to none.
func weigh(sentence string) int {
	lower := strings.ToLower(sentence)
	if len(sentence) > maxLong || !hasCue(lower) || strings.Contains(sentence, "```") || idle(sentence) {
		return 0
	}
	plain := opening(prose.WithoutMark(sentence))
	for _, c := range concluding {
		if prose.ContainsAny(lower, c.cues) && c.form.MatchString(plain) {
			if restating.MatchString(plain) || located.MatchString(plain) && !explained.MatchString(plain) {
				return 0
			}
			return c.weight
		}
	}
	return 0
}

// restating is how the task itself is told again, and located only roughly.
var restating = rule.Lazy(`(?i)\b(?:(?:issue|problem|bug|task) (?:is|was) (?:(?:about|asking|described|reported)\b|(?:different|clear|simple|fixed|resolved)(?: now)?\W*$)|problem statement|(?:way|approach|place|option|step) .{0,40}\b(?:verify|check|test|look|search|read|run|see|start|explore)\b|(?:FAILED|PASSED|SKIPPED|XFAIL)\b)`)

// located is a place without what is wrong there.
var located = rule.Lazy(`(?i)^(?:however, )?the [a-z]* ?(?:issue|problem|bug|cause|culprit) (?:is|was) (?:in|at|on|with|inside|around|related to)\b`)

// explained marks a place of which more is said.
var explained = rule.Lazy(`(?i)\b(?:where|which|because|since|when|that|who|tries|uses|does|doesn't)\b`)

// idle reports a sentence that tells of the next step, of the user, or what is
// only supposed.
func idle(sentence string) bool {
	plain := opening(prose.WithoutMark(sentence))
	return strings.HasSuffix(plain, "?") || narrating.MatchString(plain) || unsure.MatchString(plain)
}

// supposed is how Claude begins to say what it holds for best.
var supposed = rule.Lazy(`(?i)^i (?:think|believe) (?:that )?(the (?:best|right|correct|proper|cleanest|simplest|safest|most) )`)

func leans(sentence string) bool   { return leaning.MatchString(opening(prose.WithoutMark(sentence))) }
func follows(sentence string) bool { return following.MatchString(prose.WithoutMark(sentence)) }
