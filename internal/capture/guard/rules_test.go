package guard

import (
	"testing"

	"recollect/internal/text/rule"
)

func TestRules(t *testing.T) {
	if err := rule.Check(draftRules()); err != nil {
		t.Error(err)
	}
}
