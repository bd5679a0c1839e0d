package handoff

import (
	"testing"

	"recollect/internal/text/rule"
)

func TestRules(t *testing.T) {
	if err := rule.Check(rules()); err != nil {
		t.Error(err)
	}
}
