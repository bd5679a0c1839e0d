package handoff

import (
	"testing"

	"recollect/internal/rule"
)

func TestRules(t *testing.T) {
	if err := rule.Check(rules()); err != nil {
		t.Error(err)
	}
}
