package extract

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

const (
	maxStated     = 3       // goals that one prompt states
	maxStatement  = 300     // bytes of a sentence that states one; longer ones are pasted
	maxStatedFrom = 4 << 10 // bytes of a prompt; what is longer is mostly pasted
)

// goalWords are stems of which a sentence has one if it states a goal.
var goalWords = [...]string{
	"goal", "objective", "milestone", "target", "todo", "to-do", "by", "before", "later", "next", "tomorrow", "follow-up",
	"ziel", "meilenstein", "objectif", "but ", "jalon", "objetivo", "meta", "hito",
}

// statedGoals makes memories of the goals that the user names.
func (s *Turn) statedGoals() []memory.Draft {
	if len(s.Asked) > maxStatedFrom {
		return nil
	}
	var out []memory.Draft
	for _, paragraph := range prose.Paragraphs(prose.Said(s.Asked)) {
		for _, sentence := range prose.Sentences(strings.Join(paragraph, "\n")) {
			if goal, _ := statedGoal(sentence); goal != "" && len(out) < maxStated {
				out = append(out, s.userGoal(goal, sentence))
			}
		}
	}
	return out
}

func (s *Turn) userGoal(goal, sentence string) memory.Draft {
	m := s.Draft(memory.Goals, memory.OriginUser)
	m.Title, m.Evidence, m.Confidence = goal, sentence, 0.85
	m.Tags = []string{memory.TagOpen}
	m.Keywords = prose.Keywords(sentence)
	m.Subject = []string{"stated", subjectOf(goal)}
	return m
}

// statedGoal returns the goal that a sentence states, "" if it states none,
// and the rule that took it for one.
func statedGoal(sentence string) (string, *rule.Rule) {
	sentence = strings.ReplaceAll(strings.TrimLeft(sentence, "-*• "), "’", "'")
	if len(sentence) > maxStatement || !prose.ContainsAny(strings.ToLower(sentence), goalWords[:]) {
		return "", nil
	}
	if strings.HasSuffix(sentence, "?") || strings.HasPrefix(sentence, ">") {
		return "", nil
	}
	for _, by := range goalRules().Goal {
		if found := by.FindStringSubmatch(strings.TrimRight(sentence, ".! ")); found != nil {
			return worthyGoal(found[len(found)-1]), by
		}
	}
	return "", nil
}

// worthyGoal returns a goal's words, "" where they say nothing by themselves
// ("do it", "that") or say what it is not.
func worthyGoal(s string) string {
	s = goalName(s)
	words := strings.Fields(strings.ToLower(s))
	if len(words) == 0 || words[0] == "not" {
		return ""
	}
	informative := 0
	for _, w := range words {
		if !prose.Fillers[w] && !prose.Pronouns[w] && len(w) > 2 {
			informative++
		}
	}
	if informative < 2 || prose.Pronouns[words[min(1, len(words)-1)]] && informative < 3 {
		return ""
	}
	return s
}
