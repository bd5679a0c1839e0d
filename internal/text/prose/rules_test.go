package prose

import (
	"testing"

	"recollect/internal/text/rule"
)

func TestRules(t *testing.T) {
	for _, tt := range []struct {
		file string
		err  error
	}{
		{"said", rule.Check(statementRules())},
		{"phrases", rule.Check(phraseRules())},
		{"replies", rule.Check(replyRules())},
		{"topics", rule.Check(topicRules())},
	} {
		t.Run(tt.file, func(t *testing.T) {
			if tt.err != nil {
				t.Error(tt.err)
			}
		})
	}
}
