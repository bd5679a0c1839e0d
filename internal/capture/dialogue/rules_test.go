package dialogue

import (
	"testing"

	"recollect/internal/text/rule"
)

func TestRules(t *testing.T) {
	if err := rule.Check(agreementRules()); err != nil {
		t.Error(err)
	}
	if err := rule.Check(reasoningRules()); err != nil {
		t.Error(err)
	}
}
