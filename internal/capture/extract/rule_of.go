package extract

import (
	"slices"
	"strings"

	"recollect/internal/capture/dialogue"
	"recollect/internal/capture/extract/statements"
	"recollect/internal/capture/toolcall"
	"recollect/internal/memory"
	"recollect/internal/text/consolidate"
	"recollect/internal/text/rule"
	"recollect/internal/text/sentence"
)

// RuleOf returns the name of the rule that made a memory, "" where none did: a
// model or the user wrote it, or it was made of a whole turn or of several.
// Memories do not say which rule it was, so it is found anew from their
// evidence. What led in to the evidence is not known any more: a reminder
// ("Remember: we never …") that also reads like a wish is taken for the wish.
func RuleOf(m memory.Memory) string {
	stated := m.Origin == memory.OriginUser
	switch {
	case m.Evidence == "" || slices.Contains(m.Tags, memory.TagModel):
		return ""
	case m.Source == memory.Preferences:
		return wishRuleOf(m)
	case m.Source == memory.Journal && slices.Contains(m.Tags, memory.TagDecision):
		return decisionRuleOf(m)
	case m.Source == memory.Journal && slices.Contains(m.Tags, memory.TagRecap):
		return dialogue.RecapRule(m.Evidence).Name
	case m.Source == memory.Patterns && stated:
		return statements.ConventionRuleOf(m.Evidence).Name
	case m.Source == memory.Goals && stated:
		if _, by := statements.StatedGoal(m.Evidence); by != nil {
			return by.Name
		}
	case m.Source == memory.Thinking:
		return dialogue.ThoughtRule(m.Evidence)
	case m.Source == memory.Failures:
		return toolcall.RuleOf(m.Evidence)
	}
	return ""
}

// wishRuleOf finds the wish that a preference was made of. Whether its prompt
// was short shows in the wish only where two wishes take the sentence.
func wishRuleOf(m memory.Memory) string {
	stated := sentence.New(m.Evidence)
	find := func(short bool) *statements.Wish {
		if pair := sentence.Read(m.Evidence).Statements(); len(pair) == 2 {
			if _, w, ok := statements.JoinedWish(pair[0], pair[1], short); ok {
				return w
			}
		}
		_, w, _ := statements.WishOf(stated, short)
		return w
	}
	for _, w := range []*statements.Wish{find(true), find(false)} {
		if w != nil && strings.HasPrefix(m.Title, string(w.Frame)) && w.Confidence <= m.Confidence {
			return w.Name
		}
	}
	if strings.HasPrefix(m.Title, memory.TitleWants) {
		return aListedRule.Name
	}
	if consolidate.IsWithdrawal(m.Evidence) {
		return aWithdrawal.Name
	}
	if m.Confidence < statements.AReminder.Confidence {
		return statements.ByWishSigns.Name // its turn showed that it was acknowledged
	}
	return statements.AReminder.Name
}

// decisionRuleOf finds the rule that took a sentence for a decision.
func decisionRuleOf(m memory.Memory) string {
	r, rules := sentence.New(m.Evidence), statements.DecisionRules()
	if m.Origin != memory.OriginUser {
		d, _ := statements.ChoiceIn(r)
		return d.Rule
	}
	chosen := strings.ToLower(strings.TrimPrefix(withoutClip(m), memory.TitleDecided))
	if rules.ByNumber.MatchString(r.Bare) && !strings.Contains(r.Bare, chosen) {
		return rules.ByNumber.Name // the option's words are Claude's
	}
	if rules.ByPlace.MatchString(r.Bare) {
		return rules.ByPlace.Name
	}
	if name := statedBy(r); name != "" {
		return name
	}
	if _, clause, ok := statements.AnnouncedIn(r); ok {
		if name := statedBy(clause); name != "" {
			return name
		}
	}
	r.Lead = "ok," // something like it led in to what settles it in a word
	if what, by := statements.ShortDecision(r); by != nil && strings.EqualFold(statements.SplitDecision(what).What, chosen) {
		return by.Name
	}
	by := dialogue.DecisionRule(m.Evidence)
	if by == dialogue.Answer && strings.EqualFold(statements.SplitDecision(m.Evidence).What, chosen) {
		return rules.AgreedOn.Name
	}
	return by
}

// statedBy returns the name of the rule that takes a sentence for a decision by its form, "" if none does.
func statedBy(r sentence.Sentence) string {
	rules := statements.DecisionRules()
	for _, table := range [...][]*rule.Rule{rules.Settled, rules.Switched, rules.ChosenByUser} {
		if _, by := statements.MatchRules(table, r); by != nil {
			return by.Name
		}
	}
	return ""
}

// withoutClip returns the title of a memory that is whole in its text where it
// is too long.
func withoutClip(m memory.Memory) string {
	if m.Text != "" {
		return m.Text
	}
	return m.Title
}
