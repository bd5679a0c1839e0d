package extract

import (
	"slices"
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

// byCues is what a sentence is that has the cues of a wish, but no form that a rule of
// wishes.toml takes. Those that have one are surer.
var byCues = &wish{Rule: rule.Rule{Name: "cues"}, Confidence: 0.6, Frame: memory.TitleSaid}

const (
	matterWeight  = 2  // of a clause that names something that wishes are about
	wishWeight    = 3  // that a clause needs to be a wish
	minCueWords   = 2  // of a clause
	maxCueWords   = 15 // of a clause: a longer one gathers cues by its length alone
	maxWholeWords = 8  // of a sentence that is taken as a whole too
)

// maxAcknowledging is how many words a reply has that only acknowledges what was said.
const maxAcknowledging = 14

// acknowledges reports a turn in which Claude did nothing but say that it understood: its
// prompt asked for no work. Whatever that prompt wants is for later, unless it answers a question.
func acknowledges(s *Scene) bool {
	n := words(s.Reply)
	if s.before != nil && strings.Contains(s.before.Reply, "?") {
		return false
	}
	return len(s.Actions) == 0 && n > 0 && n <= maxAcknowledging && !strings.Contains(s.Reply, "?")
}

// cued reports whether one of the clauses of a sentence has the cues of a wish. What was only
// acknowledged needs not name a matter.
func cued(say prose.Statement, acknowledged bool) bool {
	asked := strings.HasSuffix(say.Bare, "?") && !(acknowledged && wishRules().TagQuestion.MatchString(say.Bare))
	if acknowledged && (cueRules().Order.MatchString(say.Bare) || cueRules().Telling.MatchString(say.Bare)) || asked || unclear(say.Bare) || statesConvention(say.Text) || cueRules().Code.MatchString(say.Bare) {
		return false
	}
	clauses := strings.Split(cueRules().Between.ReplaceAllString(say.Bare, "\n"), "\n")
	for _, long := range clauses {
		if words(long) > maxCueWords {
			clauses = append(clauses, strings.Split(long, ", ")...)
		}
	}
	if words(say.Bare) <= maxWholeWords {
		clauses = append(clauses, say.Bare)
	}
	return slices.ContainsFunc(clauses, func(clause string) bool {
		return words(clause) >= minCueWords && words(clause) <= maxCueWords && weightIn(strings.Trim(clause, " .!?…"), say.Lead, acknowledged) >= wishWeight
	})
}

func words(text string) int { return len(strings.Fields(text)) }

// weightIn adds up the weights of the cues in a clause; one without a matter has none. What leads
// in to the sentence may have cues too: "please, …".
func weightIn(clause, lead string, acknowledged bool) int {
	sum, text := matterWeight, clause+" "+lead
	if !acknowledged && !cueRules().Matter.MatchString(cueRules().OneThing.ReplaceAllString(clause, " …")) {
		return 0
	}
	for _, c := range cueRules().Cue {
		if c.MatchString(text) {
			sum += c.Weight
		}
	}
	return sum
}
