package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/memory"
	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

const maxDecisions = 5 // of one turn and one speaker

// decisions returns what the user or Claude decided in words.
func decisions(s *Turn) []memory.Draft {
	var out []memory.Draft
	add := func(from []memory.Draft) {
		for _, m := range from[:min(len(from), maxDecisions)] {
			out = replaceSame(out, m)
		}
	}
	add(s.withSettled(decidedByUser(s)))
	add(decidedByClaude(s))
	for i := range out {
		s.placeDecision(&out[i])
	}
	return out
}

// briefDecision is the number of words that say something up to which a decision needs what it is
// about: "we do container-first".
const briefDecision = 5

// maxMatter is the length of what such a decision is about, in bytes.
const maxMatter = 200

// placeDecision adds to a brief decision of which nothing else is known what the talk was about.
func (s *Turn) placeDecision(d *memory.Draft) {
	saysMore := d.Text != "" || len(d.Fields) > 0
	if saysMore || strings.HasSuffix(d.Title, ")") || prose.Informative(d.Title) > briefDecision {
		return
	}
	for at := s; at != nil; at = at.before {
		if at != s && slices.ContainsFunc(at.decisions, func(d decision) bool { return d.what != "" }) {
			return // that prompt was about what it decided
		}
		topic := prose.Topic(at.Asked)
		isSaid := strings.Contains(topic, d.Title) || strings.Contains(d.Evidence, topic)
		if topic != "" && at.Typed() && !isSaid {
			d.Fields = map[string]string{"topic": prose.ClipWords(topic, maxMatter)}
			return
		}
	}
}

// decidedByUser reads what the user typed.
func decidedByUser(s *Turn) []memory.Draft {
	var out []memory.Draft
	for _, d := range s.decisions {
		if d.what != "" {
			out = append(out, d.toDraft(s, memory.OriginUser, confidenceSaid))
		}
	}
	return out
}

// decisionIn returns the decision that a sentence of the user's is, unless it is a wish.
func (s *Turn) decisionIn(r prose.Statement) (decision, bool) {
	if prose.Hedged(r.Bare) || strings.HasSuffix(r.Text, "?") {
		return decision{}, false
	}
	if _, wished := wishIn(r, s.short); wished && !decisionRules().Announced.MatchString(r.Bare) {
		return decision{}, false
	}
	if d, ok := s.chosenIn(r); ok || isPassing(r.Bare) {
		return d, ok
	}
	return s.announcedDecision(r)
}

// announcedDecision returns the decision that a sentence announces behind something else, which may say
// what it is about, or why.
func (s *Turn) announcedDecision(r prose.Statement) (decision, bool) {
	label, clause, found := announcedIn(r)
	if !found {
		return decision{}, false
	}
	d, ok := s.chosenIn(clause)
	d.what, d.evidence = label+d.what, r.Text
	if head, _, _ := strings.Cut(r.Text, clause.Text); d.why == "" && prose.FindReason(" "+head) != nil {
		d.why = strings.TrimRight(head, " ,;:")
	}
	return d, ok
}

// chosenIn reads a decision from a sentence of the user's.
func (s *Turn) chosenIn(r prose.Statement) (decision, bool) {
	if option := s.optionTaken(r.Bare); option != "" {
		return decision{what: "Use " + option, evidence: r.Text, rule: decisionRules().ByNumber.Name}, true
	}
	if item := s.itemTaken(r.Bare); item != "" {
		return decision{what: strings.TrimRight(r.Text, " .!") + " (" + item + ")", evidence: r.Text, rule: decisionRules().ByPlace.Name}, true
	}
	if what, by := matchRules(decisionRules().Settled, r); by != nil {
		d := splitDecision(what)
		said := strings.ToLower(d.what)
		return d.statedIn(r, by), !d.isUnnamed() && !isPassing(said) && !decisionRules().Report.MatchString(said)
	}
	if decisionRules().Elsewhere.MatchString(r.Bare) {
		return decision{}, false
	}
	if what, by := matchRules(decisionRules().Switched, r); by != nil {
		d, rules := switchIn(what), decisionRules()
		return d.statedIn(r, by), d.isNamed() && !rules.Rearranged.MatchString(r.Bare) && !rules.Others.MatchString(r.Bare)
	}
	what, by := matchRules(decisionRules().ChosenByUser, r)
	if by == nil {
		what, by = shortDecision(r)
	}
	if by == nil {
		return decision{}, false
	}
	d := splitDecision(what)
	said := strings.Replace(r.Bare, strings.ToLower(d.why), "", 1) // a reason may tell how things are
	return d.statedIn(r, by), d.isNamed() && (d.framed || !isPassing(said))
}

// statedIn adds to a decision the sentence that states it, with the reason that the next one gives.
func (d decision) statedIn(r prose.Statement, by *rule.Rule) decision {
	d.evidence, d.rule = r.Text, by.Name
	if d.why == "" && givesReason(r.Next) {
		d.why = r.Next
	}
	return d
}

// shortDecision reads what a sentence decides in a word: "Redis it is", or, after
// words that agree, "Redis stays". The rule is nil if it decides nothing.
func shortDecision(r prose.Statement) (string, *rule.Rule) {
	rules := decisionRules()
	switch {
	case len(r.Bare) != len(r.Text), strings.HasSuffix(r.Lead, "so"): // "so slow it is"
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
func agreedOn(r prose.Statement) (string, *rule.Rule) {
	rules := decisionRules()
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
	return !strings.HasSuffix(next, "?") && !decisionRules().Ordering.MatchString(next) && prose.ContainsAny(next, reasonWords[:])
}

// matchRules returns the last group of the first rule that takes a statement, in the
// words in which it was written, and that rule, nil if there is none.
func matchRules(rules []*rule.Rule, r prose.Statement) (string, *rule.Rule) {
	if len(r.Bare) != len(r.Text) {
		return "", nil
	}
	for _, by := range rules {
		if at := by.FindStringSubmatchIndex(r.Bare); at != nil {
			return r.Text[at[len(at)-2]:at[len(at)-1]], by
		}
	}
	return "", nil
}

// proposing are words of a reply that proposes and has decided nothing.
var proposing = [...]string{
	"i would ", "i'd ", "i recommend", "i suggest", "i propose", "my recommendation", "shall i", "should i", "do you want",
	"would you like", "which one", "let me know", "option 1", "option a", "**option",
}

// decidedByClaude reads what Claude said. What a later reply of the turn
// takes back is left out.
func decidedByClaude(s *Turn) []memory.Draft {
	var out []memory.Draft
	for i, reply := range s.Replies {
		if len(out) > 0 && takesBack(reply) {
			out = nil
		}
		if i < len(s.Replies)-maxReplies || !isDecisive(reply) {
			continue
		}
		proposes := i == len(s.Replies)-1 && prose.ContainsAny(strings.ToLower(reply), proposing[:])
		for _, r := range prose.Statements(clean.Text(reply)) {
			if d, ok := choiceIn(r); ok && !proposes && !s.repeatsSource(r.Text) {
				d.evidence = r.Text
				out = replaceSame(out, d.toDraft(s, memory.OriginAssistant, confidenceStated))
			}
		}
	}
	return out
}

// maxReplies bounds how many of a turn's last replies are read.
const maxReplies = 40

// isDecisive reports whether a reply has a word that the reason of a decision, or
// what it rejects, begins with. Most have none.
func isDecisive(reply string) bool {
	return prose.ContainsAny(strings.ToLower(reply), deciding[:])
}

var deciding = [...]string{
	"because", "since", "as it", "as this", "as we", "as the", "given that", "instead", "rather than", " over ", " not ", "don't", "so that",
	"due to", "to avoid", "to prevent", "to keep", "to ensure", "in order to", "otherwise", " would ", "decision:", "resolution:",
	"approach:", "in favo", "as opposed", "so i", "so we", "so it",
}

// takesBack reports whether a reply begins by giving up what came before.
func takesBack(reply string) bool {
	return prose.ContainsAny(strings.ToLower(memory.Clip(strings.TrimSpace(reply), 120)), retracting[:])
}

// retracting are words of a reply that gives up what came before.
var retracting = [...]string{"doesn't work", "didn't work", "actually, ", "wait", "different approach", "another approach", "let me reconsider", "i was wrong", "you're right"}

// choiceIn reads a decision from a sentence of Claude's.
func choiceIn(r prose.Statement) (decision, bool) {
	if len(r.Bare) != len(r.Text) || strings.ContainsAny(r.Text[len(r.Text)-1:], "?:") {
		return decision{}, false
	}
	rules := decisionRules()
	d, certain, by := decision{}, true, rules.Labelled
	if at := rules.Labelled.FindStringSubmatchIndex(r.Bare); at != nil {
		d = splitDecision(r.Text[at[2]:at[3]])
	} else if at := rules.BecauseFirst.FindStringSubmatchIndex(r.Bare); at != nil {
		by = rules.BecauseFirst
		d = splitDecision(r.Text[at[4]:at[5]])
		d.why = r.Text[at[2]:at[3]]
	} else if at := rules.RejectedFirst.FindStringSubmatchIndex(r.Bare); at != nil && !prose.Pronominal(r.Bare) {
		by = rules.RejectedFirst
		d = splitDecision(r.Text[at[4]:at[5]])
		d.why = r.Text[at[2]:at[3]]
	} else if what, first := matchRules(rules.ChosenByClaude, r); first != nil {
		d, by = splitDecision(what), first
		certain = len(d.why) > shortReason || d.not != ""
	} else if at := rules.DoneByClaude.FindStringSubmatchIndex(r.Bare); at != nil {
		d, by = splitDecision(r.Text[at[2]:at[3]]), rules.DoneByClaude
		certain = len(d.why) > shortReason && d.not != ""
	} else if at := rules.PreferredTo.FindStringSubmatchIndex(r.Bare); at != nil && !rules.Finite.MatchString(r.Bare[at[2]:at[3]]) {
		d, by = splitDecision(r.Text), rules.PreferredTo
		certain = len(d.why) > shortReason && d.not != ""
	}
	if d.what != "" {
		d.rule = by.Name
	}
	isChoice := d.what != "" && certain
	return d, isChoice && d.isNamed() && !prose.Hedged(r.Bare)
}

// isNamed reports whether a decision can be understood by somebody who was not
// there, and is more than how to go about the work at hand.
func (d decision) isNamed() bool {
	return !d.isUnnamed() && !decisionRules().NextStep.MatchString(strings.ToLower(d.what))
}

// minClause is how many words a clause has that says something: "we decided that already" says none.
const minClause = 3

// isUnnamed reports whether nobody understands a decision who was not there.
func (d decision) isUnnamed() bool {
	what := strings.ToLower(d.what)
	if d.clause {
		return prose.Pronominal(what) || len(strings.Fields(what)) < minClause || decisionRules().Unnamed.MatchString(what)
	}
	if d.framed {
		what = "decided " + what
	}
	return decisionRules().Unnamed.MatchString(what)
}

// shortReason is the length below which words after "to avoid" or "since" say
// too little to make a decision of a sentence.
const shortReason = 15

// A decision is what was chosen, why, and what was rejected.
type decision struct {
	what, why, not string
	framed         bool // something said that it was decided: "we decided to …"
	clause         bool // a clause followed it, and no verb or thing: "decided that "
	evidence       string
	rule           string // the name of the rule that took it for one
}

// splitDecision takes a decision apart. What was rejected stays in what: without it
// the sentence says less.
func splitDecision(sentence string) decision {
	sentence = strings.TrimRight(sentence, " .!")
	var d decision
	if at := decisionRules().Framed.FindStringSubmatchIndex(strings.ToLower(sentence)); at != nil {
		d.framed, d.clause, sentence = true, at[2] >= 0, sentence[at[1]:]
	}
	d.what = sentence
	for _, find := range [...]func(string) []int{prose.FindReason, decisionRules().Consequence.FindStringIndex} {
		if at := find(d.what); at != nil && at[0] > 5 {
			d.what, d.why = sentence[:at[0]], strings.TrimLeft(sentence[at[0]:], ",:; ")
		}
	}
	if at := decisionRules().Alternative.FindStringIndex(d.what); at != nil && at[0] > 4 {
		d.not = strings.TrimSpace(d.what[at[1]:])
	}
	return d
}

// switchIn takes apart what says that something took the place of something. "As the queue" is what
// it holds for, and no reason.
func switchIn(sentence string) decision {
	d := decision{what: strings.TrimRight(sentence, " .!")}
	if at := prose.FindReason(d.what); at != nil && !strings.HasPrefix(strings.TrimLeft(d.what[at[0]:], ", "), "as ") {
		d.what, d.why = d.what[:at[0]], strings.TrimLeft(d.what[at[0]:], ",:; ")
	}
	return d
}

func (d decision) toDraft(s *Turn, origin string, confidence float64) memory.Draft {
	what := d.what
	if !strings.Contains(d.evidence, " "+what) { // a capital within a sentence is a name's
		what = lowerFirst(what)
	}
	if rest, ok := strings.CutPrefix(what, "not "); ok {
		what = "not to " + strings.TrimPrefix(rest, "to ")
	}
	if strings.HasPrefix(what, "against ") {
		what = "decided " + what
	}
	m := s.decisionDraft(what, d.why, d.not)
	m.Origin, m.Confidence, m.Evidence = origin, confidence, d.evidence
	if origin == memory.OriginAssistant {
		m.Tags, m.Importance = append(m.Tags, memory.TagAssumed), memory.Low
	}
	m.Subject = []string{memory.TagDecision, strings.Join(prose.PlainWords(strings.ToLower(d.what)), " ")}
	return m
}

// quoted is a name in single quotes, which reads as the mark of a genitive or
// an omission in a text that has both.
var quoted = rule.Lazy(`(^|[\s(\[{,:>])'([^'\s` + "`" + `]{1,40})'($|[\s)\]},.:;>])`)

// decisionDraft begins the memory of a decision, given what was decided, why, and
// what was rejected.
func (s *Turn) decisionDraft(what, why, not string) memory.Draft {
	if !strings.Contains(what, "`") {
		what = quoted.ReplaceAllString(what, "$1`$2`$3")
	}
	m := s.Draft(memory.Journal, memory.OriginUser)
	m.Title = what
	if len([]rune(what)) > memory.MaxTitle {
		m.Title, m.Text = prose.Clip(what, memory.MaxTitle), what
	}
	m.Fields = map[string]string{}
	if why != "" {
		m.Fields["rationale"] = prose.Clip(why, maxReason)
	}
	if not != "" {
		m.Fields["alternatives"] = prose.Clip(not, maxReason)
	}
	m.Tags, m.Keywords = []string{memory.TagDecision}, prose.Keywords(what, why)
	return m
}

// lowerFirst makes the first letter small, but for names: those with another capital, and those of
// things that one chooses between.
func lowerFirst(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	word, _, _ := strings.Cut(s, " ")
	rest := word[min(n, len(word)):]
	if rest == "" || strings.ToLower(rest) != rest || prose.FamilyOf(strings.ToLower(word)) >= 0 {
		return s
	}
	return string(unicode.ToLower(first)) + s[n:]
}
