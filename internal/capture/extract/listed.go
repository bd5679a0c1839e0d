package extract

import (
	"slices"
	"strings"

	"recollect/internal/capture/extract/statements"
	"recollect/internal/memory"
	"recollect/internal/text/rule"
	"recollect/internal/text/sentence"
)

// aListedRule is what an item of a list is that a heading calls rules.
var aListedRule = &statements.Wish{Rule: rule.Rule{Name: "listed-rule"}, Confidence: 0.8, Frame: memory.TitleWants}

// listedRules returns the items of the list below a sentence that says that they are rules: "Some
// house rules before you start:". There are none below any other sentence.
func (s *Turn) listedRules(at int) []sentence.Sentence {
	if !statements.WishRules().RulesFollow.MatchString(s.statements[at].Bare) {
		return nil
	}
	items := itemsIn(s.Asked, "")
	var out []sentence.Sentence
	for _, say := range s.statements[at+1:] {
		if !slices.ContainsFunc(items, func(item string) bool { return strings.HasSuffix(item, say.Text) }) {
			break
		}
		out = append(out, say)
	}
	return out
}
