package statements

import (
	"testing"

	"recollect/internal/text/rule"
)

func TestRules(t *testing.T) {
	for _, tt := range []struct {
		file string
		err  error
	}{
		{"wishes", rule.Check(WishRules())},
		{"signs", rule.Check(SignRules())},
		{"preferences", rule.Check(PreferenceRules())},
		{"conventions", rule.Check(ConventionRules())},
		{"failures", rule.Check(FailureRules())},
		{"goals", rule.Check(GoalRules())},
		{"decisions", rule.Check(DecisionRules())},
		{"thinking", rule.Check(ThinkingRules())},
		{"authors", rule.Check(AuthorRules())},
	} {
		t.Run(tt.file, func(t *testing.T) {
			if tt.err != nil {
				t.Error(tt.err)
			}
		})
	}
}
