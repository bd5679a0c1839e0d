package dialogue

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"recollect/internal/text/prose"
)

// divisions are the marks after which a reason may follow.
var divisions = regexp.MustCompile(`\s+[-–—]+\s+|[:—]\s+`)

// splitReason takes a clause apart into what it settles and why.
func splitReason(clause string) (what, why string) {
	clause = strings.TrimRight(clause, " .!")
	if at := prose.FindReason(clause); at != nil && at[0] > minWhat {
		clause, why = clause[:at[0]], strings.TrimLeft(clause[at[0]:], ",:; ")
	}
	for _, at := range divisions.FindAllStringIndex(clause, -1) {
		tail := clause[at[1]:]
		if at[0] > minWhat && !agreementRules().Firm.MatchString(tail) && agreementRules().Explaining.MatchString(tail) {
			if why != "" {
				tail += ", " + why
			}
			return strings.TrimRight(clause[:at[0]], " ,"), prose.Clip(tail, maxReason)
		}
	}
	return strings.TrimRight(clause, " ,"), prose.Clip(why, maxReason)
}

// minWhat is the length, in bytes, below which what stands before a reason
// settles nothing.
const minWhat = 7

// fillIn fills in what an answer chose and what it passed over.
func (o Proposal) fillIn(p *Decision) {
	if i, rest := placeOf(p.What, len(o.options)); i >= 0 {
		p.What, p.Why = o.options[i], cmp.Or(p.Why, rest)
		p.Not = strings.Join(slices.Delete(slices.Clone(o.options), i, i+1), "; ")
		return
	}
	if p.Not != "" {
		return
	}
	lower := strings.ToLower(p.What)
	var others []string
	for _, option := range o.options {
		if countCommon(lower, strings.ToLower(option)) == 0 {
			others = append(others, option)
		}
	}
	if len(others) < len(o.options) {
		p.Not = prose.Clip(strings.Join(others, "; "), maxReason)
	}
}

// placeOf returns which of n options a text takes by its place, -1 if it takes
// none so, and what the text says besides.
func placeOf(text string, n int) (place int, rest string) {
	for _, by := range agreementRules().Place {
		at := by.FindStringIndex(text)
		if at == nil {
			continue
		}
		i := slices.Index([]string{"first", "second", "third"}, by.Name)
		if i < 0 {
			i = n - 1
		}
		if i < n {
			return i, strings.TrimLeft(text[at[1]:], " ,.!–—-")
		}
	}
	return -1, ""
}

// questionFor returns the question that a clause is about: the one with which it has
// most words in common, or else, for the first thing that is said, the last; or
// what was proposed or stated, where nothing was asked.
func (o Proposal) questionFor(clause string, first bool) string {
	lower := strings.ToLower(clause)
	best, most := "", 0
	for _, q := range o.questions {
		if agreementRules().Steering.MatchString(q) && len(o.questions) > 1 {
			continue
		}
		if n := countCommon(lower, strings.ToLower(q)); n > most || n == most && first {
			best, most = q, n
		}
	}
	theirs := strings.HasSuffix(o.theirs, "?") || len(o.suggestions) == 0 && o.stated == ""
	switch {
	case best != "":
		return best
	case !first && len(strings.Fields(clause)) > fewWords/2 && countCommon(lower, strings.ToLower(o.theirs)) == 0:
		return ""
	case o.theirs != "" && theirs:
		return o.theirs
	case o.stated != "":
		return o.stated
	case len(o.suggestions) > 0:
		return o.suggestions[len(o.suggestions)-1]
	}
	return ""
}

// countCommon counts the words of a text in lower case that say something and are
// in another one too.
func countCommon(a, b string) int {
	words, n := prose.SubjectWords(a), 0
	for _, w := range prose.SubjectWords(b) {
		if len(w) > 1 && slices.Contains(words, w) {
			n++
		}
	}
	return n
}

// rejectedText returns what a user rejects who says no.
func (o Proposal) rejectedText() string {
	if n := len(o.suggestions); n > 0 {
		return prose.Clip(strings.TrimRight(o.suggestions[n-1], " .?"), maxReason)
	}
	return ""
}

// acceptedDecision returns what a user accepts who says yes: what was asked, or what
// was proposed, if it is more than the next step.
func (o Proposal) acceptedDecision() (Decision, bool) {
	rules := agreementRules()
	if n := len(o.questions); n > 0 && o.waits && len(o.options) == 0 {
		if asked := o.questions[n-1]; !rules.Steering.MatchString(asked) {
			return Decision{What: "yes", Asked: asked}, rules.Firm.MatchString(asked) || rules.OfThings.MatchString(asked)
		}
	}
	if len(o.suggestions) != 1 {
		return Decision{}, false
	}
	var p Decision
	p.What, p.Why = splitReason(withoutI(o.suggestions[0]))
	settles := p.Why != "" || rules.Firm.MatchString(p.What)
	return p, settles && !rules.Steering.MatchString(p.What) && !rules.Wondering.MatchString(p.What)
}

// withoutI cuts "I'd" and the like from the beginning of a proposal.
func withoutI(proposal string) string {
	if at := agreementRules().Proposal.FindStringIndex(proposal); at != nil && at[0] < minWhat {
		return strings.TrimLeft(proposal[at[1]:], " :,")
	}
	return proposal
}
