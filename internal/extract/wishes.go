package extract

import (
	"strings"
	"sync"

	"recollect/internal/activity"
	"recollect/internal/memory"
	"recollect/internal/prose"
	"recollect/internal/rule"
)

// aReminder is what a sentence is that was led in to so.
var aReminder = &wish{Rule: rule.Rule{Name: "reminder"}, Confidence: 0.85, Frame: memory.TitleSaid}

var wishTrials = sync.OnceValue(func() *rule.Trials {
	var rules []*rule.Rule
	for _, w := range wishRules().Wish {
		rules = append(rules, &w.Rule)
	}
	return rule.NewTrials(rules)
})

// wishIn returns the wish that a sentence is, if it is one. short says that
// the whole prompt is.
func wishIn(r prose.Statement, short bool) (*wish, bool) {
	rules, asked := wishRules(), strings.HasSuffix(r.Bare, "?")
	if rules.Reminding.MatchString(r.Lead) && !asked {
		return aReminder, !unclear(r.Bare) && !prose.Pronominal(r.Bare) && len(strings.Fields(r.Bare)) > 3
	}
	for i := range wishTrials().Of(r.Bare) {
		w := rules.Wish[i]
		if w.Short && !short || asked && !w.Question || !w.MatchString(r.Bare) {
			continue
		}
		if w.Work && len(activity.About(r.Bare)) == 0 {
			continue
		}
		if unclear(r.Bare) {
			return nil, false
		}
		if !w.Short || !rules.Pointing.MatchString(r.Bare) {
			return w, true
		}
	}
	return nil, false
}

// unclear reports a wish that is only a thought, that nobody understands later,
// or that is about this moment.
func unclear(bare string) bool {
	return prose.Hedged(bare) || wishRules().Vague.MatchString(bare) || wishRules().Passing.MatchString(bare)
}
