package extract

import (
	"strings"

	"recollect/internal/capture/extract/statements"
	"recollect/internal/memory"
	"recollect/internal/text/prose"
)

const (
	maxStated     = 3       // goals that one prompt states
	maxStatedFrom = 4 << 10 // bytes of a prompt; what is longer is mostly pasted
)

// statedGoals makes memories of the goals that the user names.
func (s *Turn) statedGoals() []memory.Draft {
	if len(s.Asked) > maxStatedFrom {
		return nil
	}
	var out []memory.Draft
	for _, paragraph := range prose.Paragraphs(s.asked.Typed()) {
		for _, sentence := range prose.Sentences(strings.Join(paragraph, "\n")) {
			if goal, _ := statements.StatedGoal(sentence); goal != "" && len(out) < maxStated {
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
