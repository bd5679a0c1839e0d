package statements

import (
	"strings"

	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
	"recollect/internal/text/sentence"
)

// StatedIn adds to a decision the sentence that states it, with the reason that the next one gives.
func (d Decision) StatedIn(r sentence.Sentence, by *rule.Rule) Decision {
	d.Evidence, d.Rule = r.Text, by.Name
	if d.Why == "" && givesReason(r.Next) {
		d.Why = r.Next
	}
	return d
}

// ShortDecision reads what a sentence decides in a word: "Redis it is", or, after
// words that agree, "Redis stays". The rule is nil if it decides nothing.
func ShortDecision(r sentence.Sentence) (string, *rule.Rule) {
	rules := DecisionRules()
	switch {
	case !r.IsFlat(), strings.HasSuffix(r.Lead, "so"): // "so slow it is"
		return "", nil
	case rules.AgreedOn.MatchString(r.Lead):
		return agreedOn(r)
	}
	by := rules.ItIs
	if rules.Agreement.MatchString(r.Lead) && rules.Stays.MatchString(r.Bare) {
		by = rules.Stays
	}
	at := by.FindStringSubmatchIndex(r.Bare)
	if at == nil {
		return "", nil
	}
	what := strings.TrimSpace(r.Text[at[2]:at[3]])
	if rules.NoThing.MatchString(strings.ToLower(what)) {
		return "", nil
	}
	return what, by
}

// agreedOn reads a sentence that "agreed:" leads in to. The memory does not contain
// those words, so where the sentence decides something without them, that rule counts.
func agreedOn(r sentence.Sentence) (string, *rule.Rule) {
	rules := DecisionRules()
	switch {
	case len(strings.Fields(r.Text)) < 3, rules.Ordering.MatchString(r.Bare):
		return "", nil
	case rules.Stays.MatchString(r.Bare):
		return r.Text, rules.Stays
	}
	return r.Text, rules.AgreedOn
}

// reasonWords are words of a sentence that says why, of the one before.
var reasonWords = [...]string{"because", "reason", "that way", "this way", "we have ", "we need ", "we already ", "it works", "it's ", "it is ", "they ", "that's ",
	"can't", "cannot", "cant ", "doesn't", "doesnt ", "does not ", "isn't", "isnt ", "too ", "overkill", "easier", "faster", "cheaper", "simpler", "better", "safer", "less ", "only "}

// givesReason reports whether a sentence says why, of the one before.
func givesReason(next string) bool {
	next = strings.ToLower(next)
	return !strings.HasSuffix(next, "?") && !DecisionRules().Ordering.MatchString(next) && prose.ContainsAny(next, reasonWords[:])
}

// MatchRules returns the last group of the first rule that takes a statement, in the
// words in which it was written, and that rule, nil if there is none.
func MatchRules(rules []*rule.Rule, r sentence.Sentence) (string, *rule.Rule) {
	if !r.IsFlat() {
		return "", nil
	}
	for _, by := range rules {
		if at := by.FindStringSubmatchIndex(r.Bare); at != nil {
			return r.Text[at[len(at)-2]:at[len(at)-1]], by
		}
	}
	return "", nil
}

// ChoiceIn reads a decision from a sentence of Claude's.
func ChoiceIn(r sentence.Sentence) (Decision, bool) {
	if !r.IsFlat() || strings.ContainsAny(r.Text[len(r.Text)-1:], "?:") {
		return Decision{}, false
	}
	rules := DecisionRules()
	d, certain, by := Decision{}, true, rules.Labelled
	if at := rules.Labelled.FindStringSubmatchIndex(r.Bare); at != nil {
		d = SplitDecision(r.Text[at[2]:at[3]])
	} else if at := rules.BecauseFirst.FindStringSubmatchIndex(r.Bare); at != nil {
		by = rules.BecauseFirst
		d = SplitDecision(r.Text[at[4]:at[5]])
		d.Why = r.Text[at[2]:at[3]]
	} else if at := rules.RejectedFirst.FindStringSubmatchIndex(r.Bare); at != nil && !prose.Pronominal(r.Bare) {
		by = rules.RejectedFirst
		d = SplitDecision(r.Text[at[4]:at[5]])
		d.Why = r.Text[at[2]:at[3]]
	} else if what, first := MatchRules(rules.ChosenByClaude, r); first != nil {
		d, by = SplitDecision(what), first
		certain = len(d.Why) > shortReason || d.Not != ""
	} else if at := rules.DoneByClaude.FindStringSubmatchIndex(r.Bare); at != nil {
		d, by = SplitDecision(r.Text[at[2]:at[3]]), rules.DoneByClaude
		certain = len(d.Why) > shortReason && d.Not != ""
	} else if at := rules.PreferredTo.FindStringSubmatchIndex(r.Bare); at != nil && !rules.Finite.MatchString(r.Bare[at[2]:at[3]]) {
		d, by = SplitDecision(r.Text), rules.PreferredTo
		certain = len(d.Why) > shortReason && d.Not != ""
	}
	if d.What != "" {
		d.Rule = by.Name
	}
	isChoice := d.What != "" && certain
	return d, isChoice && d.IsNamed() && !r.IsHedged()
}

// IsNamed reports whether a decision can be understood by somebody who was not
// there, and is more than how to go about the work at hand.
func (d Decision) IsNamed() bool {
	return !d.IsUnnamed() && !DecisionRules().NextStep.MatchString(strings.ToLower(d.What))
}

// minClause is how many words a clause has that says something: "we decided that already" says none.
const minClause = 3

// IsUnnamed reports whether nobody understands a decision who was not there.
func (d Decision) IsUnnamed() bool {
	what := strings.ToLower(d.What)
	if d.clause {
		return prose.Pronominal(what) || len(strings.Fields(what)) < minClause || DecisionRules().Unnamed.MatchString(what)
	}
	if d.Framed {
		what = "decided " + what
	}
	return DecisionRules().Unnamed.MatchString(what)
}

// shortReason is the length below which words after "to avoid" or "since" say
// too little to make a decision of a sentence.
const shortReason = 15

// A Decision is what was chosen, why, and what was rejected.
type Decision struct {
	What, Why, Not string
	Framed         bool // something said that it was decided: "we decided to …"
	clause         bool // a clause followed it, and no verb or thing: "decided that "
	Evidence       string
	Rule           string // the name of the rule that took it for one
}

// SplitDecision divides a decision into what was chosen, why, and what was rejected. What was rejected stays in what: without it
// the sentence says less.
func SplitDecision(sentence string) Decision {
	sentence = strings.TrimRight(sentence, " .!")
	var d Decision
	if at := DecisionRules().Framed.FindStringSubmatchIndex(strings.ToLower(sentence)); at != nil {
		d.Framed, d.clause, sentence = true, at[2] >= 0, sentence[at[1]:]
	}
	d.What = sentence
	for _, find := range [...]func(string) []int{prose.FindReason, DecisionRules().Consequence.FindStringIndex} {
		if at := find(d.What); at != nil && at[0] > 5 {
			d.What, d.Why = sentence[:at[0]], strings.TrimLeft(sentence[at[0]:], ",:; ")
		}
	}
	if at := DecisionRules().Alternative.FindStringIndex(d.What); at != nil && at[0] > 4 {
		d.Not = strings.TrimSpace(d.What[at[1]:])
	}
	return d
}

// SwitchIn divides what says that something took the place of something. "As the queue" is what
// it holds for, and no reason.
func SwitchIn(sentence string) Decision {
	d := Decision{What: strings.TrimRight(sentence, " .!")}
	if at := prose.FindReason(d.What); at != nil && !strings.HasPrefix(strings.TrimLeft(d.What[at[0]:], ", "), "as ") {
		d.What, d.Why = d.What[:at[0]], strings.TrimLeft(d.What[at[0]:], ",:; ")
	}
	return d
}
