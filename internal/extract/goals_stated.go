package extract

import (
	"strings"

	"recollect/internal/memory"
	"recollect/internal/prose"
	"recollect/internal/rule"
)

const (
	maxStated     = 3       // goals that one prompt states
	maxStatement  = 300     // bytes of a sentence that states one; longer ones are pasted
	maxStatedFrom = 4 << 10 // bytes of a prompt; what is longer is mostly pasted
)

// statements are the ways in which a goal is stated, from a sentence's
// beginning. The last group is the goal.
var statements = compile(
	// "our goal for this sprint is to halve the start-up time"
	`(?:our|my|the team's) (?:[a-z-]+ ){0,2}?(?:goal|objective|milestone|target)s?(?: (?:for|of|here|now|in|by|this|next) ?[^,:;]{0,40}?)? (?:is|are)[: ]+(?:to |now to )?(.+)`,
	`the (?:next|main|overall|long[- ]term|short[- ]term|current|ultimate|big|real) (?:goal|objective|milestone|target)(?: (?:for|of|here|now|in) ?[^,:;]{0,40}?)? (?:is|are)[: ]+(?:to )?(.+)`,
	`the (?:goal|objective|milestone|target) (?:for|of|by) (?:(?:(?:this|next|the|our) (?:[a-z-]+ )?(?:week|sprint|month|quarter|year|release|version|iteration|phase|milestone|project|repo|product|app|plugin))|today|tomorrow|q[1-4]|v?\d[\w.]*|[a-z]+day)(?: [^,:;]{0,20}?)? (?:is|are)[: ]+(?:to )?(.+)`,
	`(?:next|current|upcoming) (?:milestone|goal|objective)s?(?: is)?[:=-]? +(?:is )?(?:to )?(.+)`,
	// "TODO later: rate limits"
	`to-?dos?(?: (?:for )?(?:later|tomorrow|next(?: [a-z]+)?|someday|monday|this week))? ?(?:[:=]| - )\s*(.+)`,
	// "we need to ship the importer by Friday"
	`(?:we|i) (?:still |really |also )?(?:need|have|want|plan|hope|aim)s? to (.+? (?:by|before) (?:(?:next|this|the end of|end of|the) )?(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|week|weekend|month|sprint|quarter|year|eow|eod|release|launch|v?\d[\w.]*)\b.*)`,
	// "we'll add the retries later"
	`(?:we'll|i'll|we will|i will|let's|lets|we should|we can|i want to|i still want to) ((?:add|build|do|fix|handle|tackle|implement|support|migrate|move|write|clean up|refactor|remove|replace) .+) (?:later(?: on)?|next (?:week|sprint|month|time|release)|tomorrow|in a (?:later|follow-up|separate) (?:pr|session|release|step))`,
	`(?:unser|mein)e? (?:[a-zäöüß]+ )?(?:ziel|meilenstein)(?: (?:für|in|bis) [^,:;]{0,30}?)? ist(?: es)?[:,]? +(.+)`,
	`(?:das|der) (?:nächste )?(?:ziel|meilenstein) (?:für|dieser|diese|des) [^,:;]{0,30}? ist(?: es)?[:,]? +(.+)`,
	`nächste[rs]? (?:ziel|meilenstein) ?(?:ist|:) *(.+)`,
	`notre (?:prochain )?(?:objectif|but|jalon)(?: pour [^,:;]{0,30}?)? est (?:de |d')?(.+)`,
	`(?:l'objectif|le but) (?:de cette|de la|pour) [^,:;]{0,30}? est (?:de |d')?(.+)`,
	`nuestr[oa] (?:próxim[oa] )?(?:objetivo|meta|hito)(?: para [^,:;]{0,30}?)? es (.+)`,
)

func compile(patterns ...string) []*rule.Regexp {
	out := make([]*rule.Regexp, len(patterns))
	for i, p := range patterns {
		out[i] = rule.Lazy(`(?is)^(?:(?:so|and|but|also|btw|remember|note|reminder|ok|okay|und|et|y)[,:]? ){0,2}` + p + `$`)
	}
	return out
}

// goalWords are stems of which a sentence has one if it states a goal.
var goalWords = [...]string{
	"goal", "objective", "milestone", "target", "todo", "to-do", "by", "before", "later", "next", "tomorrow", "follow-up",
	"ziel", "meilenstein", "objectif", "but ", "jalon", "objetivo", "meta", "hito",
}

// statedGoals makes memories of the goals that the user names.
func (s *Scene) statedGoals() []memory.Memory {
	if len(s.Asked) > maxStatedFrom {
		return nil
	}
	var out []memory.Memory
	for _, paragraph := range prose.Paragraphs(prose.WithoutElements(s.Asked)) {
		for _, sentence := range prose.Sentences(strings.Join(paragraph, "\n")) {
			if goal := statedGoal(sentence); goal != "" && len(out) < maxStated {
				out = append(out, s.userGoal(goal, sentence))
			}
		}
	}
	return out
}

func (s *Scene) userGoal(goal, sentence string) memory.Memory {
	m := s.Memory(memory.Goals, memory.OriginUser)
	m.Title, m.Evidence, m.Confidence = goal, sentence, 0.85
	m.Tags = []string{memory.TagOpen}
	if topic := s.topic(); topic != "" && !strings.Contains(sentence, topic) {
		m.Text = "The user named this goal while working on: " + topic
	}
	m.Keywords = prose.Keywords(sentence)
	m.SetSubject("stated", subjectOf(goal))
	return m
}

// statedGoal returns the goal that a sentence states, "" if it states none.
func statedGoal(sentence string) string {
	sentence = strings.ReplaceAll(strings.TrimLeft(sentence, "-*• "), "’", "'")
	if len(sentence) > maxStatement || strings.HasSuffix(sentence, "?") || strings.HasPrefix(sentence, ">") || !prose.ContainsAny(strings.ToLower(sentence), goalWords[:]) {
		return ""
	}
	for _, form := range statements {
		if found := form.FindStringSubmatch(strings.TrimRight(sentence, ".! ")); found != nil {
			return worthyGoal(found[len(found)-1])
		}
	}
	return ""
}

// worthyGoal returns a goal's words, "" where they say nothing by themselves
// ("do it", "that") or say what it is not.
func worthyGoal(s string) string {
	s = goalName(s)
	words := strings.Fields(strings.ToLower(s))
	if len(words) == 0 || words[0] == "not" {
		return ""
	}
	telling := 0
	for _, w := range words {
		if !prose.Fillers[w] && !prose.Pronouns[w] && len(w) > 2 {
			telling++
		}
	}
	if telling < 2 || prose.Pronouns[words[min(1, len(words)-1)]] && telling < 3 {
		return ""
	}
	return s
}
