package extract

import (
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

// byWishSigns is the rule of a sentence that no rule of wishes.toml takes, but that has enough signs
// of a wish. It gives less confidence than those rules do.
var byWishSigns = &wish{Rule: rule.Rule{Name: "cues"}, Confidence: 0.6, Frame: memory.TitleSaid}

const (
	topicWeight   = 2  // of a clause that names something that wishes are about
	wishWeight    = 3  // that a clause needs to be a wish
	minSignWords  = 2  // of a clause
	maxSignWords  = 15 // of a clause: a longer one gathers signs by its length alone
	maxWholeWords = 8  // of a sentence that is taken as a whole too
)

// maxAcknowledging is how many words a reply has that only acknowledges what was said.
const maxAcknowledging = 14

// acknowledges reports a turn in which Claude did nothing but say that it understood: its
// prompt asked for no work. Whatever that prompt wants is for later, unless it answers a question.
func acknowledges(s *Turn) bool {
	if s.before != nil && strings.Contains(s.before.Reply, "?") {
		return false
	}
	if len(s.Actions) > 0 || strings.Contains(s.Reply, "?") {
		return false
	}
	n := countWords(s.Reply)
	return n > 0 && n <= maxAcknowledging
}

// hasWishSigns reports whether one of the clauses of a sentence has the signs of a wish. What was only
// acknowledged need not name a topic.
func hasWishSigns(say prose.Statement, acknowledged bool) bool {
	isAsked := strings.HasSuffix(say.Bare, "?") && !(acknowledged && wishRules().TagQuestion.MatchString(say.Bare))
	isTask := acknowledged && (signRules().Order.MatchString(say.Bare) || signRules().Telling.MatchString(say.Bare))
	switch {
	case isAsked, isTask, isUnclear(say.Bare), statesConvention(say.Text), signRules().Code.MatchString(say.Bare):
		return false
	}
	clauses := strings.Split(signRules().Between.ReplaceAllString(say.Bare, "\n"), "\n")
	for _, long := range clauses {
		if countWords(long) > maxSignWords {
			clauses = append(clauses, strings.Split(long, ", ")...)
		}
	}
	if countWords(say.Bare) <= maxWholeWords {
		clauses = append(clauses, say.Bare)
	}
	return slices.ContainsFunc(clauses, func(clause string) bool {
		return countWords(clause) >= minSignWords && countWords(clause) <= maxSignWords && weighSigns(strings.Trim(clause, " .!?…"), say.Lead, acknowledged) >= wishWeight
	})
}

func countWords(text string) int { return len(strings.Fields(text)) }

// weighSigns adds up the weights of the signs in a clause; one without a topic has none. What leads
// in to the sentence may have signs too: "please, …".
func weighSigns(clause, lead string, acknowledged bool) int {
	sum, text := topicWeight, clause+" "+lead
	if !acknowledged && !signRules().Topic.MatchString(signRules().OneThing.ReplaceAllString(clause, " …")) {
		return 0
	}
	for _, c := range signRules().Sign {
		if c.MatchString(text) {
			sum += c.Weight
		}
	}
	return sum
}
