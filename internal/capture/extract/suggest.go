package extract

import (
	"slices"
	"strings"

	"recollect/internal/capture/extract/statements"
	"recollect/internal/memory"
	"recollect/internal/text/sentence"
)

// Suggestions returns what sentences of the user's may decide or rule that no rule recognized, as candidates with the
// probability that they are meant to last. Most of them are orders for now, so none is stored before somebody who
// reads the prompt says which are not.
func (s *Turn) Suggestions() []memory.Draft {
	before, known := s.saidBefore(), s.Drafts()
	var out []memory.Draft
	for _, say := range s.statements {
		scores := say.Scores(before)
		if scores.Lasting() < mayLast || isMadeOf(known, say.Text) {
			continue
		}
		d := s.suggestion(say, &scores)
		d.Candidate = min(scores.Lasting(), maxCandidate)
		out = append(out, d)
	}
	return out
}

// suggestion makes a decision or a wish of a sentence, whichever it is likelier to be.
func (s *Turn) suggestion(say sentence.Sentence, scores *sentence.Scores) memory.Draft {
	if scores[sentence.Rule] >= scores[sentence.Choice] {
		return s.draftOfWish(statements.ByWishSigns, say)
	}
	d := statements.SplitDecision(say.Text)
	d.Evidence = say.Text
	return s.draftOfDecision(d, memory.OriginUser, statements.ByWishSigns.Confidence)
}

// isMadeOf reports whether one of the decisions and wishes of a turn is made of a sentence.
func isMadeOf(known []memory.Draft, text string) bool {
	return slices.ContainsFunc(known, func(d memory.Draft) bool {
		of := d.Source == memory.Journal || d.Source == memory.Preferences
		return of && (strings.Contains(d.Evidence, text) || d.Evidence != "" && strings.Contains(text, d.Evidence))
	})
}
