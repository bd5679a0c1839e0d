package reasoning

import (
	"testing"

	"recollect/internal/rule"
)

func TestRules(t *testing.T) {
	if err := rule.Check(reasoningRules()); err != nil {
		t.Error(err)
	}
}
