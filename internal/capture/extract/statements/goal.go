package statements

import (
	"strings"

	"recollect/internal/memory/clean"
	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

// MaxGoal and maxStatement bound the words of a goal, and a sentence that states one, in bytes. What is longer is pasted.
const (
	MaxGoal      = 200
	maxStatement = 300
)

// goalWords are stems of which a sentence has one if it states a goal.
var goalWords = [...]string{
	"goal", "objective", "milestone", "target", "todo", "to-do", "by", "before", "later", "next", "tomorrow", "follow-up",
	"ziel", "meilenstein", "objectif", "but ", "jalon", "objetivo", "meta", "hito",
}

// StatedGoal returns the goal that a sentence states, "" if it states none,
// and the rule that took it for one.
func StatedGoal(sentence string) (string, *rule.Rule) {
	sentence = strings.ReplaceAll(strings.TrimLeft(sentence, "-*• "), "’", "'")
	if len(sentence) > maxStatement || !prose.ContainsAny(strings.ToLower(sentence), goalWords[:]) {
		return "", nil
	}
	if strings.HasSuffix(sentence, "?") || strings.HasPrefix(sentence, ">") {
		return "", nil
	}
	for _, by := range GoalRules().Goal {
		if found := by.FindStringSubmatch(strings.TrimRight(sentence, ".! ")); found != nil {
			return worthyGoal(found[len(found)-1]), by
		}
	}
	return "", nil
}

// worthyGoal returns a goal's words, "" where they say nothing by themselves
// ("do it", "that") or say what it is not.
func worthyGoal(s string) string {
	s = GoalName(s)
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

// GoalName is a goal's words in one line.
func GoalName(s string) string {
	return prose.Clip(strings.TrimRight(strings.ReplaceAll(prose.OneLine(clean.Text(s)), "**", ""), " .:;,"), MaxGoal)
}
