// Package dialogue reads what a user and Claude say to each other and what Claude
// thinks. It reads words alone and knows neither turns nor memories.
//
// Of what they agreed on it finds what the user answered, accepted, corrected and
// ruled when Claude had asked or proposed something, and how Claude summed it up: a
// proposal is what a reply asks or proposes, a decision is something that the user
// settled, and a recap is a list of what was settled so far.
//
// Of Claude's reasoning it finds the causes that it found, and the ways that it rejected
// and why. What it was about to do, only supposed or repeated is passed over.
package dialogue

import (
	"slices"
	"strings"
	"unicode"

	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
	"recollect/internal/text/sentence"
)

// A Decision is something that the user settled.
type Decision struct {
	What     string // in the user's words, or in those of what they accepted
	Asked    string // what it answers, "" if What says enough without
	Why      string // the reason, if it was said
	Not      string // what was rejected, if that was said
	Evidence string // the user's words
}

// Bounds of what one prompt settles.
const (
	maxDecisions = 4
	maxSentence  = 420 // bytes of a sentence that settles something
	maxReason    = 200 // bytes of a reason
	fewWords     = 9   // a clause of fewer words needs the question that it answers
)

// A reading is what was read of a prompt so far.
type reading struct {
	proposal  Proposal
	decisions []Decision
	yes, no   bool   // it accepted, or rejected, and has not said what instead
	asks      bool   // a sentence of it was a question
	content   bool   // it said more than that
	agreed    bool   // its first sentence accepted, and said no more
	ordered   bool   // its last sentence asked for work
	objection string // the sentence that said what is wrong with the proposal
	prior     string // the sentence before, which settled nothing and may say why
	open      bool   // the next sentence may say why of the last decision
	changes   bool   // a sentence of it changed what stood before
	opening   bool   // it begins the conversation
	talk      bool   // it and the reply discuss, in few words, how something shall be
}

// Settled returns what a prompt settles of a proposal.
func (o Proposal) Settled(prompt *sentence.Text) []Decision {
	return readSettled(reading{proposal: o, talk: o.isTalkedOver(prompt.Said())}, prompt)
}

// Changed returns what a prompt that begins a conversation changes of what
// stood before. What else it says of how things are or shall be is its task.
func Changed(prompt *sentence.Text) []Decision { return readSettled(reading{opening: true}, prompt) }

// AnnouncesChange reports whether a sentence says that something holds from now on, or no longer.
func AnnouncesChange(sentence string) bool { return agreementRules().Changed.MatchString(sentence) }

func readSettled(r reading, prompt *sentence.Text) []Decision {
	sentences := withContrasts(prompt.Sentences())
	for _, s := range sentences {
		r.asks = r.asks || strings.HasSuffix(s, "?")
	}
	for i, s := range sentences {
		if len(s) <= maxSentence && len(r.decisions) < maxDecisions {
			r.readSentence(strings.ReplaceAll(s, "’", "'"))
		}
		r.agreed = r.agreed || i == 0 && r.onlyAccepts()
	}
	if r.agreed && !r.asks {
		if p, ok := r.proposal.acceptedDecision(); ok {
			p.Evidence = sentences[0]
			return append([]Decision{p}, r.decisions...)
		}
	}
	if r.no && len(r.decisions) == 0 && !r.asks {
		r.readRefusal(prompt.Said())
	}
	if r.objection != "" && len(r.decisions) == 0 && !r.asks {
		clause := r.readMood(r.objection)
		r.prior = ""
		r.addDecision(clause, r.objection)
	}
	return r.decisions
}

// onlyAccepts reports whether what was read so far accepts, and says no more, or asks for work.
func (r *reading) onlyAccepts() bool {
	saysNoMore := !r.content || r.ordered
	return r.yes && saysNoMore && !r.hasSettled()
}

// withContrasts joins a few words that say what is not meant to the sentence that says what is:
// "It has to run locally. Not in the cloud."
func withContrasts(sentences []string) []string {
	var out []string
	for _, s := range sentences {
		if n := len(out); n > 0 && isContrast(s) && !strings.HasSuffix(out[n-1], "?") {
			out[n-1] = strings.TrimRight(out[n-1], ".! ") + ", " + s
			continue
		}
		out = append(out, s)
	}
	return out
}

// isContrast reports whether a sentence says, in a few words, only what is not meant.
func isContrast(s string) bool {
	rules := agreementRules()
	if len(strings.Fields(s)) > fewWords || strings.HasSuffix(s, "?") {
		return false
	}
	return prose.BeginsWith(strings.ToLower(s), contrasting[:]) && !rules.Aside.MatchString(s) && !rules.Denial.MatchString(s)
}

// contrasting are words with which a sentence says only what is not meant.
var contrasting = [...]string{"not ", "nicht ", "kein ", "keine ", "pas "}

// readSentence takes one more sentence of the prompt into account.
func (r *reading) readSentence(sentence string) {
	if strings.HasSuffix(sentence, "?") {
		r.content, r.open, r.prior = true, false, ""
		return
	}
	r.changes = r.changes || agreementRules().Changed.MatchString(sentence)
	clause := r.readMood(sentence)
	if clause == "" {
		return
	}
	r.ordered = agreementRules().Order.MatchString(clause)
	switch {
	case r.isObjection(clause):
		r.prior, r.objection = clause, sentence
		return
	case r.settlesIn(clause), r.settlesAtLast(clause), r.isDiscussing() && r.settlesInTalk(clause):
		r.addDecision(clause, sentence)
		r.prior = ""
	case r.isUnsettledTalk(clause), r.isEarlyReason(clause):
		r.prior = clause
		return
	case r.open && !r.asks && r.isReason(clause):
		last := &r.decisions[len(r.decisions)-1]
		last.Why, r.open = prose.Clip(clause, maxReason), false
	default:
		r.open, r.prior = false, ""
	}
	r.content = true
}

// isUnsettledTalk reports whether a clause of a discussion, in which nothing is settled yet, decides nothing.
func (r *reading) isUnsettledTalk(clause string) bool {
	return r.talk && !r.hasSettled() && agreementRules().Pointless.MatchString(clause)
}

// isEarlyReason reports whether a clause may be the reason for what is decided after it, not before.
func (r *reading) isEarlyReason(clause string) bool {
	return r.mayBeReason(clause) && (!r.open || !r.isReason(clause))
}

// readMood notes whether a sentence begins by accepting or rejecting, and returns
// the rest of it.
func (r *reading) readMood(sentence string) string {
	rules := agreementRules()
	for range 4 {
		rest := sentence
		if at := rules.Denial.FindStringIndex(rest); at != nil {
			r.no, r.yes, rest = true, false, rest[at[1]:]
		} else if at := rules.Assent.FindStringIndex(rest); at != nil {
			r.yes, rest = !r.no, rest[at[1]:]
		}
		if at := rules.Opening.FindStringIndex(rest); at != nil {
			rest = rest[at[1]:]
		}
		if rest == sentence {
			break
		}
		sentence = rest
	}
	return strings.TrimLeft(strings.TrimSpace(sentence), "-–— ")
}

// settlesIn reports whether a clause settles something.
func (r *reading) settlesIn(clause string) bool {
	if place, _ := r.proposal.taken(clause); place >= 0 {
		return !r.content && r.proposal.isChoice()
	}
	rules := agreementRules()
	said, _ := splitReason(clause)
	what := rules.Idiom.ReplaceAllString(said, "")
	firm, lasting, past := rules.Firm.MatchString(what), rules.Lasting.MatchString(what), rules.Past.MatchString(what)
	terse := len(strings.Fields(what)) <= fewWords
	normative := rules.Normative.MatchString(what)
	ruling := lasting || normative
	isRule := normative || r.no && lasting
	isAnswerLike := terse && (firm || !rules.Explaining.MatchString(what))
	switch {
	case r.opening && !r.changes, isWordless(what), len(what) < 2 && !r.isAnswer(clause), strings.HasSuffix(clause, ":"), rules.Aside.MatchString(said), sentence.Hedged(strings.ToLower(what)):
		return false
	case rules.Changed.MatchString(what):
		return !past
	case rules.Asking.MatchString(what):
		return false
	case !r.opening && revisedValue(what) != "":
		return true
	case rules.Order.MatchString(what):
		return lasting && r.proposal.isAny()
	case rules.Telling.MatchString(what) && !isRule, rules.Wondering.MatchString(said):
		return false
	case r.no && !r.hasSettled():
		return firm || isAnswerLike && !past
	case past && !lasting, rules.Trouble.MatchString(what) && !firm:
		return false
	case r.isAnswer(clause), r.answersMore() && isAnswerLike:
		return true
	case !r.proposal.isAny() && !r.changes:
		return lasting && !r.asks
	case !firm || ruling:
		return firm
	}
	return !r.asks && (terse || r.isExpected())
}

// answersMore reports whether the prompt has answered a question already, and may go on.
func (r *reading) answersMore() bool { return r.proposal.waits && r.hasSettled() }

// isExpected reports whether what the user wants is due: they said no, or a question waits, or
// they have begun to say it.
func (r *reading) isExpected() bool { return r.no || r.proposal.waits || r.hasSettled() }

// isDiscussing reports whether the prompt discusses how something shall be, or begins a conversation
// with what changes.
func (r *reading) isDiscussing() bool { return r.talk || r.opening && r.changes }

// settlesAtLast reports whether the last part of a clause settles something: "that
// is for tomorrow, and I want it in one file".
func (r *reading) settlesAtLast(clause string) bool {
	at := strings.LastIndex(clause, ", and ")
	if at < 0 {
		return false
	}
	last := clause[at+len(", and "):]
	return agreementRules().Normative.MatchString(last) && r.settlesIn(last)
}

// hasSettled reports whether what the user wants instead was said.
func (r *reading) hasSettled() bool { return len(r.decisions) > 0 }

// isAnswer reports whether a clause is the first thing that is said in answer to
// a question, or, after words that accept, takes up what was proposed.
func (r *reading) isAnswer(clause string) bool {
	if r.content || !r.proposal.isAny() {
		return false
	}
	if r.proposal.waits {
		return true
	}
	takesUp := r.yes || len(r.proposal.options) > 0
	return takesUp && len(strings.Fields(clause)) <= fewWords && r.proposal.sharesWord(clause)
}

// sharesWord reports whether a clause has a word of what was proposed.
func (o Proposal) sharesWord(clause string) bool {
	proposed := strings.ToLower(strings.Join(o.questions, " ") + " " + strings.Join(o.suggestions, " ") + " " + strings.Join(o.options, " ") + " " + o.claim)
	for _, word := range prose.SubjectWords(strings.ToLower(clause)) {
		if len(word) > 1 && strings.Contains(proposed, word) {
			return true
		}
	}
	place, _ := placeOf(clause, len(o.options))
	return place >= 0
}

// isReason reports whether a clause says why of the decision before.
func (r *reading) isReason(clause string) bool {
	rules := agreementRules()
	tells := rules.Explaining.MatchString(clause) || r.no && len(strings.Fields(clause)) > fewWords/2
	isRemark := rules.Wondering.MatchString(clause) || rules.Aside.MatchString(clause)
	return tells && !isRemark && !rules.Order.MatchString(clause)
}

// mayBeReason reports whether a clause that settles nothing may say why of the
// next one.
func (r *reading) mayBeReason(clause string) bool {
	rules := agreementRules()
	switch {
	case r.ordered, r.asks, prose.Pronominal(clause), rules.Aside.MatchString(clause), rules.Wondering.MatchString(clause):
		return false
	case r.changes, strings.HasPrefix(strings.ToLower(clause), "too "):
		return true
	case r.proposal.waits && len(strings.Fields(clause)) <= fewWords:
		return true
	}
	return (r.no || r.hasSettled()) && r.isReason(clause)
}

// addDecision adds the decision that a clause states.
func (r *reading) addDecision(clause, sentence string) {
	if n := len(r.decisions); n > 0 && r.continuesLast(clause) {
		r.decisions[n-1].What += ". " + strings.TrimRight(clause, " .!")
		return
	}
	if place, why := r.proposal.taken(clause); place >= 0 {
		r.decisions = append(r.decisions, r.proposal.chosen(place, why, sentence))
		r.open = why == ""
		return
	}
	p := Decision{Evidence: sentence}
	p.What, p.Why = splitReason(clause)
	if p.Why == "" && r.prior != "" {
		p.Why = prose.Clip(strings.TrimRight(r.prior, " ."), maxReason)
	}
	first := !r.hasSettled()
	value := revisedValue(p.What)
	if value != "" {
		p.What = value
		if countCommon(strings.ToLower(value), strings.ToLower(r.proposal.theirs)) > 0 || len(prose.SubjectWords(value)) < 2 {
			p.Asked = r.proposal.theirs
		}
	}
	if r.no && first {
		p.Not = r.proposal.rejectedText()
	}
	if first && r.proposal.isAny() {
		r.proposal.fillIn(&p)
	}
	if value == "" && len(strings.Fields(p.What)) < fewWords || agreementRules().Pointing.MatchString(p.What) {
		p.Asked = r.proposal.questionFor(p.What, first)
	}
	if r.isAnswered(p.Asked) && !agreementRules().Pointing.MatchString(p.What) {
		p.Asked = ""
	}
	if p.Not != "" && !strings.HasSuffix(p.Asked, "?") && strings.HasPrefix(p.Asked, strings.TrimSuffix(p.Not, "…")) {
		p.Asked = ""
	}
	if first && r.proposal.waits {
		r.answerPlainly(&p)
	}
	r.decisions = append(r.decisions, p)
	r.open = p.Why == ""
}

// answerPlainly adds the user's yes or no to a decision that answers a question so. What the user says besides may only say why.
func (r *reading) answerPlainly(p *Decision) {
	rules := agreementRules()
	isPolar := rules.Polar.MatchString(p.Asked) && !rules.Firm.MatchString(p.What)
	answer := "yes"
	if r.no {
		answer = "no"
	}
	tellsWhy := p.Why == "" && (rules.Explaining.MatchString(p.What) || rules.Telling.MatchString(p.What))
	isAnswered := isPolar && (r.yes || r.no)
	switch {
	case isAnswered && tellsWhy:
		p.What, p.Why = answer, p.What
	case r.yes && isPolar, r.no && p.isBareAnswer():
		p.What = answer + ", " + p.What
	}
}

// isBareAnswer reports whether a decision answers a question in few words that state no rule.
func (p *Decision) isBareAnswer() bool {
	return p.Asked != "" && len(strings.Fields(p.What)) <= fewWords/2 && !agreementRules().Normative.MatchString(p.What)
}

// isWordless reports whether a text has neither a letter nor a digit.
func isWordless(text string) bool {
	return !strings.ContainsFunc(text, func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) })
}

// revisedValue returns the value that a clause puts in the place of one that the user had
// settled, "" if it puts none.
func revisedValue(clause string) string {
	for _, by := range agreementRules().Revised {
		if groups := by.FindStringSubmatch(clause); groups != nil {
			return groups[1]
		}
	}
	return ""
}

// isAnswered reports whether an earlier decision answers a question.
func (r *reading) isAnswered(question string) bool {
	return slices.ContainsFunc(r.decisions, func(p Decision) bool { return p.Asked == question })
}

// continuesLast reports whether a clause goes on with the decision before: in a few
// words, or with what points back to it.
func (r *reading) continuesLast(clause string) bool {
	last := r.decisions[len(r.decisions)-1]
	rules := agreementRules()
	if len(last.What) < maxReason && len(strings.Fields(clause)) < 4 {
		return true
	}
	return r.open && len(last.What)+len(clause) < maxReason && rules.Pointing.MatchString(clause)
}

// choosingWords begin a question that "no" does not answer.
var choosingWords = [...]string{"which ", "what ", "how ", "where ", "who "}

// readRefusal reads a prompt that says no to a question, and no more.
func (r *reading) readRefusal(prompt string) {
	question := r.proposal.questionFor("", true)
	isAnswered := !prose.BeginsWith(strings.ToLower(question), choosingWords[:]) && !agreementRules().Steering.MatchString(question)
	if r.proposal.waits && question != "" && isAnswered {
		r.decisions = append(r.decisions, Decision{What: "no", Asked: question, Evidence: prompt})
	}
}

// Rejects reports whether a prompt rejects what Claude said as a whole, before
// it says what shall be instead.
func Rejects(prompt *sentence.Text) bool {
	clause, no := refuses(prompt)
	return no && (clause == "" || agreementRules().Telling.MatchString(clause))
}

// Denies reports whether a prompt begins by rejecting something that Claude
// said.
func Denies(prompt *sentence.Text) bool {
	_, no := refuses(prompt)
	return no
}

// refuses reports whether the first sentence of a prompt begins by rejecting, and returns the rest of it.
func refuses(prompt *sentence.Text) (rest string, no bool) {
	var r reading
	if all := prompt.Sentences(); len(all) > 0 {
		rest = r.readMood(all[0])
	}
	return rest, r.no
}

// Answer is the name of what is no rule: that a sentence answers a question.
const Answer = "answer"

// DecisionRule returns the name of the rule that takes a sentence of the user's for
// a decision, given it alone.
func DecisionRule(sentence string) string {
	rules := agreementRules()
	r := reading{}
	clause := r.readMood(sentence)
	for _, by := range []*rule.Rule{rules.Firm.First(clause), rules.Denial.First(sentence), rules.Assent.First(sentence)} {
		if by != nil {
			return by.Name
		}
	}
	return Answer
}
