package statements

import (
	"strings"
	"sync"

	"recollect/internal/memory"
	"recollect/internal/text/activity"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
	"recollect/internal/text/sentence"
)

// AReminder is what a sentence is that was led in to so.
var AReminder = &Wish{Rule: rule.Rule{Name: "reminder"}, Confidence: 0.85, Frame: memory.TitleSaid}

// aComplaint is what two sentences are of which the first finds what the second does not want.
var aComplaint = &Wish{Rule: rule.Rule{Name: "complaint"}, Confidence: 0.8, Frame: memory.TitleSaid}

// aGeneralRule is what two sentences are of which the second says that the first holds for all.
var aGeneralRule = &Wish{Rule: rule.Rule{Name: "holds-for-all"}, Confidence: 0.8, Frame: memory.TitleWants}

var wishTrials = sync.OnceValue(func() *rule.Trials {
	var rules []*rule.Rule
	for _, w := range WishRules().Wish {
		rules = append(rules, &w.Rule)
	}
	return rule.NewTrials(rules)
})

// WishIn returns the wish that a sentence is, if it is one. short says that
// the whole prompt is.
func WishIn(r sentence.Sentence, short bool) (*Wish, bool) {
	rules, asked := WishRules(), r.Asks() && !WishRules().TagQuestion.MatchString(r.Bare)
	if rules.Reminding.MatchString(r.Lead) && !asked {
		return AReminder, r.Length() > 3 && !isUnclear(r) && !prose.Pronominal(r.Bare)
	}
	for i := range wishTrials().Of(r.Bare) {
		w := rules.Wish[i]
		isTooLong, isQuestion := w.Short && !short, asked && !w.Question
		if isTooLong || isQuestion || !w.MatchString(r.Bare) {
			continue
		}
		if w.Work && len(activity.About(r.Bare)) == 0 {
			continue
		}
		if isMisleading(r.Bare) || !w.Question && r.IsHedged() { // a polite question is no thought
			return nil, false
		}
		if !w.Short || !pointsElsewhere(r.Bare) {
			return w, true
		}
	}
	return nil, false
}

// isUnclear reports whether a wish is only a thought, or misleads.
func isUnclear(r sentence.Sentence) bool { return r.IsHedged() || isMisleading(r.Bare) }

// isMisleading reports whether nobody understands a wish later, or it is about this moment.
func isMisleading(bare string) bool {
	return WishRules().Vague.MatchString(bare) || IsPassing(bare)
}

// IsPassing reports whether a wish is about this moment, or about one thing at hand.
func IsPassing(bare string) bool {
	return WishRules().Passing.MatchString(WishRules().FromToday.ReplaceAllString(bare, "…"))
}

// minMain is how many bytes of a wish are read whole before a comma may begin its reason.
const minMain = 25

// pointsElsewhere reports whether bare is a wish whose words mean something that it does not name.
func pointsElsewhere(bare string) bool {
	return WishRules().Pointing.MatchString(WishRules().Named.ReplaceAllString(mainClause(bare), "…"))
}

// mainClause returns a wish without the reason that may follow it, which is free to say "it":
// "never rename exported functions, other teams import them".
func mainClause(bare string) string {
	if at := strings.Index(bare[min(len(bare), minMain):], ", "); at >= 0 {
		return bare[:minMain+at]
	}
	return bare
}
