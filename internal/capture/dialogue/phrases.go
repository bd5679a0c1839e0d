package dialogue

import (
	"slices"
	"strings"

	"recollect/internal/text/prose"
	"recollect/internal/text/rule"
)

// hasSign reports whether a sentence, in lower case, may be a conclusion.
func hasSign(lower string) bool {
	return slices.ContainsFunc(reasoningRules().Conclusion, func(c *conclusion) bool { return prose.ContainsAny(lower, c.Signs) })
}

// conclusionIn returns the rule that takes a sentence for a conclusion, nil if
// none does.
func conclusionIn(sentence string) *conclusion {
	lower := strings.ToLower(sentence)
	if len(sentence) > maxLong || strings.Contains(sentence, "```") {
		return nil
	}
	if !hasSign(lower) || isIdle(sentence) {
		return nil
	}
	plain := cutOpening(prose.WithoutMark(sentence))
	rules := reasoningRules()
	for _, c := range rules.Conclusion {
		if prose.ContainsAny(lower, c.Signs) && c.MatchString(plain) {
			if rules.Restating.MatchString(plain) || Locates(plain) {
				return nil
			}
			return c
		}
	}
	return nil
}

// tersePassage names what takes a terse passage for a thought: no single rule,
// but how many of them bind it together.
const tersePassage = "terse-passage"

// items finds where the items of a list were joined to one line.
var items = rule.Lazy(`; (\p{Lu})`)

// ThoughtRule returns the name of the rule that took a thought for one, given its
// conclusion: a sentence, or the whole passage where the sentence that
// concludes says too little alone, because it points back or announces a list.
func ThoughtRule(conclusion string) string {
	sentences := prose.Sentences(items.ReplaceAllString(conclusion, "\n$1"))
	var little []string
	for _, sentence := range sentences {
		if before, _, announces := strings.Cut(sentence, ": "); announces {
			little = append(little, before+":")
		}
		if prose.Pronominal(cutOpening(prose.WithoutMark(sentence))) {
			little = append(little, sentence)
		}
	}
	if len(sentences) == 1 {
		little, sentences = sentences, little
	}
	for _, sentence := range append(little, sentences...) {
		if c := conclusionIn(sentence); c != nil {
			return c.Name
		}
	}
	return tersePassage
}

// isIdle reports whether sentence is a sentence about the next step, about the user, or about what is
// only supposed.
func isIdle(sentence string) bool {
	plain := cutOpening(prose.WithoutMark(sentence))
	return strings.HasSuffix(plain, "?") || reasoningRules().Narrating.MatchString(plain) || reasoningRules().Tentative.MatchString(plain)
}

func leansOnOthers(sentence string) bool {
	return reasoningRules().Leaning.MatchString(cutOpening(prose.WithoutMark(sentence)))
}
func followsOn(sentence string) bool {
	return reasoningRules().Following.MatchString(prose.WithoutMark(sentence))
}

// isFragment reports whether a sentence goes on with one before it.
func isFragment(sentence string) bool {
	return reasoningRules().Fragment.MatchString(prose.WithoutMark(sentence))
}
