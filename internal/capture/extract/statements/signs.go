package statements

import (
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/rule"
	"recollect/internal/text/sentence"
)

// ByWishSigns is the rule of a sentence that no rule of wishes.toml takes, but that has enough signs
// of a wish. It gives less confidence than those rules do.
var ByWishSigns = &Wish{Rule: rule.Rule{Name: "cues"}, Confidence: 0.6, Frame: memory.TitleSaid}

const (
	topicWeight   = 2  // of a clause that names something that wishes are about
	wishWeight    = 3  // that a clause needs to be a wish
	minSignWords  = 2  // of a clause
	maxSignWords  = 15 // of a clause: a longer one gathers signs by its length alone
	maxWholeWords = 8  // of a sentence that is taken as a whole too
)

// HasWishSigns reports whether one of the clauses of a sentence has the signs of a wish. What was only
// acknowledged need not name a topic.
func HasWishSigns(say sentence.Sentence, acknowledged bool) bool {
	isAsked := say.Asks() && !(acknowledged && WishRules().TagQuestion.MatchString(say.Bare))
	isTask := acknowledged && (SignRules().Order.MatchString(say.Bare) || SignRules().Telling.MatchString(say.Bare))
	switch {
	case isAsked, isTask, isUnclear(say), StatesConvention(say.Text), SignRules().Code.MatchString(say.Bare):
		return false
	}
	clauses := strings.Split(SignRules().Between.ReplaceAllString(say.Bare, "\n"), "\n")
	for _, long := range clauses {
		if CountWords(long) > maxSignWords {
			clauses = append(clauses, strings.Split(long, ", ")...)
		}
	}
	if say.Length() <= maxWholeWords {
		clauses = append(clauses, say.Bare)
	}
	return slices.ContainsFunc(clauses, func(clause string) bool {
		return CountWords(clause) >= minSignWords && CountWords(clause) <= maxSignWords && weighSigns(strings.Trim(clause, " .!?…"), say.Lead, acknowledged) >= wishWeight
	})
}

// CountWords counts the words of a text.
func CountWords(text string) int { return len(strings.Fields(text)) }

// weighSigns adds up the weights of the signs in a clause; one without a topic has none. What leads
// in to the sentence may have signs too: "please, …".
func weighSigns(clause, lead string, acknowledged bool) int {
	sum, text := topicWeight, clause+" "+lead
	if !acknowledged && !SignRules().Topic.MatchString(SignRules().OneThing.ReplaceAllString(clause, " …")) {
		return 0
	}
	for _, c := range SignRules().Sign {
		if c.MatchString(text) {
			sum += c.Weight
		}
	}
	return sum
}
