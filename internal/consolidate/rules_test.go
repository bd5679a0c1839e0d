package consolidate

import (
	"testing"

	"recollect/internal/rule"
)

func TestRules(t *testing.T) {
	if err := rule.Check(claimRules()); err != nil {
		t.Error(err)
	}
}
