package dialogue

import (
	"regexp"
	"slices"
	"strings"

	"recollect/internal/text/prose"
	"recollect/internal/text/sentence"
)

// An Proposal is what a reply puts before the user: what it asks and proposes.
type Proposal struct {
	questions   []string // in order, each with what it needs to be understood
	options     []string // what the last of them lets the user choose from
	labelled    []Option // those of them that have labels
	suggestions []string
	stated      string // what the reply says the user settled
	theirs      string // what the user had asked, or said in few words
	waits       bool   // the reply ends with a question or a choice
	facts       bool   // it asks for facts
	brief       bool   // the reply only talks, and in few words
	claim       string // the last thing that a brief reply says, without asking
}

// maxBrief is the length of a reply, in bytes, up to which all of it may be about
// what the user says next.
const maxBrief = 400

// shortQuestion is the length, in bytes, below which a question needs the
// words before it to be understood.
const shortQuestion = 40

// ReadProposal returns what a reply puts before the user. asked is the prompt
// that it answers: a question of the user's own may be what they decide next.
// acted says that Claude did more in its turn than talk.
func ReadProposal(asked *sentence.Text, reply string, acted bool) Proposal {
	o := Proposal{stated: Restated(reply), labelled: Options(reply)}
	var said []string
	end := 0 // of what is said before the list with which the reply ends
	for _, paragraph := range prose.Paragraphs(reply) {
		for _, line := range paragraph {
			said = append(said, prose.Whole(prose.Sentences(prose.WithoutMark(line)))...)
			if !o.isOption(line) {
				end = len(said)
			}
		}
	}
	for i := range said {
		o.readSentence(said[i], said[:i], asked.Said())
		if i >= end-2 && len(o.questions) > 0 && isAsking(said[i]) {
			o.waits = true
		}
	}
	if o.brief = !acted && len(reply) <= maxBrief && !strings.Contains(reply, "\n"); o.brief {
		o.claim = claimOf(said)
	}
	o.readOwnQuestion(asked)
	if len(o.options) == 0 {
		o.options = lastList(reply)
	}
	return o
}

// readSentence takes one more sentence into account, given those before it.
func (o *Proposal) readSentence(sentence string, before []string, asked string) {
	rules := agreementRules()
	switch {
	case strings.HasSuffix(sentence, "?") && o.asksForFact(sentence):
		o.questions, o.facts = nil, true
	case isAsking(sentence):
		question := strings.TrimRight(sentence, ".?") + "?"
		o.questions = append(o.questions, inContext(question, before, asked))
		if options := optionsIn(sentence); options != nil || len(sentence) >= shortQuestion {
			o.options = options
		}
		if rules.Proposal.MatchString(sentence) && !rules.Steering.MatchString(sentence) {
			o.suggestions = append(o.suggestions, sentence)
		}
	case rules.Proposal.MatchString(sentence) && !strings.HasSuffix(sentence, ":"):
		o.suggestions = append(o.suggestions, sentence)
	}
}

// claimOf returns the last of some sentences that asks nothing and says more
// than a word.
func claimOf(said []string) string {
	for _, s := range slices.Backward(said) {
		if !strings.HasSuffix(s, "?") && len(strings.Fields(s)) > 1 {
			return strings.TrimRight(s, " .")
		}
	}
	return ""
}

// isAsking reports whether a sentence asks, or names a choice without asking.
func isAsking(sentence string) bool {
	if strings.HasSuffix(sentence, "?") || agreementRules().ListedChoice.MatchString(sentence) {
		return true
	}
	return strings.Contains(sentence, ": ") && len(sentence) <= maxOption && len(optionsIn(sentence)) > 0
}

// asksForFact reports whether a question asks for a fact, or goes on with one that did.
func (o *Proposal) asksForFact(question string) bool {
	return agreementRules().Fact.MatchString(question) || o.facts && len(question) < shortQuestion
}

// inContext returns a question with what it needs to be understood: the
// sentence before it, or where there is none, the words that the reply answers.
func inContext(question string, before []string, asked string) string {
	if len(question) >= shortQuestion || !agreementRules().Dangling.MatchString(question) && len(prose.SubjectWords(question)) > 1 {
		return question
	}
	if n := len(before); n > 0 {
		return prose.CutMiddle(before[n-1], maxAsked) + " " + question
	}
	if asked = prose.OneLine(asked); asked != "" && len(asked) <= 2*shortQuestion {
		return strings.TrimRight(asked, ".!?") + ": " + question
	}
	return question
}

// maxAsked bounds the words of a question, in bytes.
const maxAsked = 200

// readOwnQuestion takes what the user had asked for what is to be decided,
// where the reply only answers it.
func (o *Proposal) readOwnQuestion(asked *sentence.Text) {
	sentences := asked.Sentences()
	if len(sentences) == 0 {
		return
	}
	last := sentences[len(sentences)-1]
	question := strings.HasSuffix(last, "?") || agreementRules().Asking.MatchString(last)
	options := optionsIn(last)
	switch {
	case len(last) > maxAsked || agreementRules().Fact.MatchString(last) || agreementRules().Steering.MatchString(last):
		return
	case question || len(options) > 0 && len(last) < shortQuestion:
		if last = strings.TrimRight(last, "?.") + "?"; len(last) < shortQuestion && len(sentences) > 1 && len(sentences[len(sentences)-2]) < maxOption {
			last = sentences[len(sentences)-2] + " " + last
		}
		o.theirs = last
	case len(asked.Said()) < 2*shortQuestion:
		o.theirs = last
	}
	if len(o.questions) == 0 && len(options) > 0 {
		o.options, o.waits = options, true
	}
}

// isAny reports whether the reply puts anything before the user, or answers what
// they had asked.
func (o Proposal) isAny() bool {
	return len(o.questions)+len(o.suggestions) > 0 || strings.HasSuffix(o.theirs, "?")
}

var (
	alternation = regexp.MustCompile(`(?i),? (?:or|oder|ou|o) `)
	choosing    = regexp.MustCompile(`^(?i)(?:[^:?]{0,80}: )?(?:either |entweder |soit )?(.+?)[?.]*$`)
)

// maxOption bounds the words of an option, in bytes: a longer one is a sentence
// that has the word "or".
const maxOption = 90

// optionsIn returns what a question lets one choose from: "mean, minimum or
// median?". There are none where it has no "or".
func optionsIn(question string) []string {
	if sentences := prose.Sentences(question); len(sentences) > 1 {
		for _, sentence := range slices.Backward(sentences) {
			if options := optionsIn(sentence); options != nil {
				return options
			}
		}
		return nil
	}
	at := alternation.FindAllStringIndex(question, -1)
	if len(at) != 1 {
		return nil
	}
	sentence := choosing.FindStringSubmatch(question)
	if sentence == nil {
		return nil
	}
	var out []string
	for _, part := range strings.Split(alternation.ReplaceAllString(sentence[1], ", "), ", ") {
		part = strings.Trim(part, " .?!,—–-")
		switch {
		case len(part) > maxOption, len(out) < 2 && agreementRules().Clausal.MatchString(part):
			return nil
		case part != "" && !agreementRules().Clausal.MatchString(part):
			out = append(out, part)
		}
	}
	if len(out) < 2 || len(out) > 5 {
		return nil
	}
	return out
}

// lastList returns the items of the last list in a reply.
func lastList(reply string) []string {
	var out []string
	in := false
	for line := range strings.Lines(reply) {
		line = strings.TrimSpace(line)
		switch item := prose.IsListed(line); {
		case item && !in:
			out, in = []string{prose.Clip(prose.ItemWords(line), maxAsked)}, true
		case item:
			out = append(out, prose.Clip(prose.ItemWords(line), maxAsked))
		case line != "":
			in = false
		}
	}
	if len(out) < 2 || len(out) > 6 {
		return nil
	}
	return out
}
