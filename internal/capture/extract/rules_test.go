package extract

import (
	"testing"

	"recollect/internal/text/rule"
)

func TestRules(t *testing.T) {
	for _, tt := range []struct {
		file string
		err  error
	}{
		{"wishes", rule.Check(wishRules())},
		{"cues", rule.Check(signRules())},
		{"preferences", rule.Check(preferenceRules())},
		{"conventions", rule.Check(conventionRules())},
		{"failures", rule.Check(failureRules())},
		{"goals", rule.Check(goalRules())},
		{"decisions", rule.Check(decisionRules())},
		{"thinking", rule.Check(thinkingRules())},
		{"authors", rule.Check(authorRules())},
	} {
		t.Run(tt.file, func(t *testing.T) {
			if tt.err != nil {
				t.Error(tt.err)
			}
		})
	}
}
