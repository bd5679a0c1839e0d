package dialogue

import (
	"strings"

	"recollect/internal/text/sentence"
)

// maxTalk is the length of a prompt, in bytes, up to which it answers a brief
// reply and does no more.
const maxTalk = 600

// isTalkedOver reports whether a prompt and the reply that it answers discuss, in few
// words, how something shall be. What the prompt then says first is settled,
// and so is what it says in the words of a rule. A prompt that asks, or that
// wonders and remembers, discusses how things are.
func (o Proposal) isTalkedOver(prompt string) bool {
	if !o.brief || o.facts || len(prompt) > maxTalk {
		return false
	}
	return o.claim+strings.Join(o.questions, "") != "" && !agreementRules().Musing.MatchString(prompt)
}

// settlesInTalk reports whether a clause settles something in a brief discussion.
func (r *reading) settlesInTalk(clause string) bool {
	rules := agreementRules()
	said, _ := splitReason(clause)
	what := rules.Idiom.ReplaceAllString(said, "")
	main, _, _ := strings.Cut(what, ", ")
	passive := rules.Regulating.FindStringIndex(what)
	firm := passive != nil || rules.Firm.MatchString(what) || rules.Normative.MatchString(what)
	switch {
	case r.asks, len(what) < 2, strings.HasSuffix(clause, ":"), rules.Aside.MatchString(said), sentence.Hedged(strings.ToLower(what)):
		return false
	case rules.Wondering.MatchString(said), rules.Asking.MatchString(what), rules.Command.MatchString(what), rules.Trouble.MatchString(what) && !rules.Normative.MatchString(what):
		return false
	case r.yes && rules.Telling.MatchString(what):
		return false
	case passive == nil && rules.Past.MatchString(main) && !rules.Lasting.MatchString(main):
		return false
	case rules.Order.MatchString(what):
		return firm || strings.ContainsAny(what, "0123456789")
	case rules.Pointless.MatchString(what):
		return false
	case !r.content && !r.hasSettled() && r.proposal.mayBeAnsweredBy(clause):
		return r.proposal.waits || len(strings.Fields(what)) > 2
	}
	isRegulated := passive != nil && passive[0] == 0
	return firm && (isRegulated || !rules.Remark.MatchString(what))
}

// isObjection reports whether a clause, the first in answer to a brief proposal,
// says what is wrong with it: a reason, if anything is settled after it.
func (r *reading) isObjection(clause string) bool {
	rules := agreementRules()
	switch {
	case !r.talk, r.proposal.waits, r.content, r.hasSettled(), r.yes, len(strings.Fields(clause)) <= 3, strings.HasSuffix(clause, ":"):
		return false
	case rules.Firm.MatchString(clause), rules.Normative.MatchString(clause), rules.Regulating.MatchString(clause):
		return false
	case rules.Pointless.MatchString(clause), rules.Order.MatchString(clause), rules.Asking.MatchString(clause):
		return false
	}
	return rules.Explaining.MatchString(clause)
}

// mayBeAnsweredBy reports whether a clause may answer the proposal: it asks or suggests something, or they share a word.
func (o Proposal) mayBeAnsweredBy(clause string) bool {
	return len(o.questions)+len(o.suggestions) > 0 || o.sharesWord(clause)
}
