package survey

import (
	"testing"

	"recollect/internal/text/rule"
)

func TestRules(t *testing.T) {
	if err := rule.Check(orderRules()); err != nil {
		t.Error(err)
	}
}
