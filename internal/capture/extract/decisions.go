package extract

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"recollect/internal/capture/extract/statements"
	"recollect/internal/memory"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
	"recollect/internal/text/sentence"
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
		if at != s && slices.ContainsFunc(at.decisions, func(d statements.Decision) bool { return d.What != "" }) {
			return // that prompt was about what it decided
		}
		topic := at.asked.Topic()
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
		if d.What != "" {
			out = append(out, s.draftOfDecision(d, memory.OriginUser, confidenceSaid))
		}
	}
	return out
}

// decisionIn returns the decision that a sentence of the user's is, unless it is a wish.
func (s *Turn) decisionIn(r sentence.Sentence) (statements.Decision, bool) {
	if r.IsHedged() || r.Asks() {
		return statements.Decision{}, false
	}
	if _, wished := statements.WishIn(r, s.short); wished && !statements.DecisionRules().Announced.MatchString(r.Bare) {
		return statements.Decision{}, false
	}
	if d, ok := s.chosenIn(r); ok || statements.IsPassing(r.Bare) {
		return d, ok
	}
	return s.announcedDecision(r)
}

// announcedDecision returns the decision that a sentence announces behind something else, which may say
// what it is about, or why.
func (s *Turn) announcedDecision(r sentence.Sentence) (statements.Decision, bool) {
	label, clause, found := statements.AnnouncedIn(r)
	if !found {
		return statements.Decision{}, false
	}
	d, ok := s.chosenIn(clause)
	d.What, d.Evidence = label+d.What, r.Text
	if head, _, _ := strings.Cut(r.Text, clause.Text); d.Why == "" && prose.FindReason(" "+head) != nil {
		d.Why = strings.TrimRight(head, " ,;:")
	}
	return d, ok
}

// chosenIn reads a decision from a sentence of the user's.
func (s *Turn) chosenIn(r sentence.Sentence) (statements.Decision, bool) {
	if d, ok := s.optionTaken(r); ok {
		return d, true
	}
	if item := s.itemTaken(r.Bare); item != "" {
		return statements.Decision{What: strings.TrimRight(r.Text, " .!") + " (" + item + ")", Evidence: r.Text, Rule: statements.DecisionRules().ByPlace.Name}, true
	}
	if what, by := statements.MatchRules(statements.DecisionRules().Settled, r); by != nil {
		d := statements.SplitDecision(what)
		said := strings.ToLower(d.What)
		return d.StatedIn(r, by), !d.IsUnnamed() && !statements.IsPassing(said) && !statements.DecisionRules().Report.MatchString(said)
	}
	if statements.DecisionRules().Elsewhere.MatchString(r.Bare) {
		return statements.Decision{}, false
	}
	if what, by := statements.MatchRules(statements.DecisionRules().Switched, r); by != nil {
		d, rules := statements.SwitchIn(what), statements.DecisionRules()
		return d.StatedIn(r, by), d.IsNamed() && !rules.Rearranged.MatchString(r.Bare) && !rules.Others.MatchString(r.Bare)
	}
	what, by := statements.MatchRules(statements.DecisionRules().ChosenByUser, r)
	if by == nil {
		what, by = statements.ShortDecision(r)
	}
	if by == nil {
		return statements.Decision{}, false
	}
	d := statements.SplitDecision(what)
	said := strings.Replace(r.Bare, strings.ToLower(d.Why), "", 1) // a reason may tell how things are
	return d.StatedIn(r, by), d.IsNamed() && (d.Framed || !statements.IsPassing(said))
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
		for _, r := range s.replies[i].Statements() {
			if d, ok := statements.ChoiceIn(r); ok && !proposes && !s.repeatsSource(r.Text) {
				d.Evidence = r.Text
				out = replaceSame(out, s.draftOfDecision(d, memory.OriginAssistant, confidenceStated))
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

// draftOfDecision makes the memory of a decision.
func (s *Turn) draftOfDecision(d statements.Decision, origin string, confidence float64) memory.Draft {
	what := d.What
	if !strings.Contains(d.Evidence, " "+what) { // a capital within a sentence is a name's
		what = lowerFirst(what)
	}
	if rest, ok := strings.CutPrefix(what, "not "); ok {
		what = "not to " + strings.TrimPrefix(rest, "to ")
	}
	if strings.HasPrefix(what, "against ") {
		what = "decided " + what
	}
	m := s.decisionDraft(what, d.Why, d.Not)
	m.Origin, m.Confidence, m.Evidence = origin, confidence, d.Evidence
	if origin == memory.OriginAssistant {
		m.Tags, m.Importance = append(m.Tags, memory.TagAssumed), memory.Low
	}
	m.Subject = []string{memory.TagDecision, strings.Join(prose.PlainWords(strings.ToLower(d.What)), " ")}
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
