package reasoning

import (
	"slices"
	"strings"

	"recollect/internal/prose"
)

// hasCue reports whether a sentence, in lower case, may be a conclusion.
func hasCue(lower string) bool {
	return slices.ContainsFunc(reasoningRules().Conclusion, func(c *conclusion) bool { return prose.ContainsAny(lower, c.Cues) })
}

// weigh returns how much the conclusion tells that a sentence comes to, 0 if
// it comes to none.
func weigh(sentence string) weight {
	lower := strings.ToLower(sentence)
	if len(sentence) > maxLong || !hasCue(lower) || strings.Contains(sentence, "```") || idle(sentence) {
		return 0
	}
	plain := opening(prose.WithoutMark(sentence))
	for _, c := range reasoningRules().Conclusion {
		if prose.ContainsAny(lower, c.Cues) && c.MatchString(plain) {
			if reasoningRules().Restating.MatchString(plain) || reasoningRules().Located.MatchString(plain) && !reasoningRules().Explained.MatchString(plain) {
				return 0
			}
			return c.Weight
		}
	}
	return 0
}

// idle reports a sentence that tells of the next step, of the user, or what is
// only supposed.
func idle(sentence string) bool {
	plain := opening(prose.WithoutMark(sentence))
	return strings.HasSuffix(plain, "?") || reasoningRules().Narrating.MatchString(plain) || reasoningRules().Unsure.MatchString(plain)
}

func leans(sentence string) bool {
	return reasoningRules().Leaning.MatchString(opening(prose.WithoutMark(sentence)))
}
func follows(sentence string) bool {
	return reasoningRules().Following.MatchString(prose.WithoutMark(sentence))
}
