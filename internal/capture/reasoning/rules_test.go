package reasoning

import (
	"testing"

	"recollect/internal/text/rule"
)

func TestRules(t *testing.T) {
	if err := rule.Check(reasoningRules()); err != nil {
		t.Error(err)
	}
}
