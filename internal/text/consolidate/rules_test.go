package consolidate

import (
	"errors"
	"testing"

	"recollect/internal/text/rule"
)

func TestRules(t *testing.T) {
	if err := errors.Join(rule.Check(claimRules()), rule.Check(amendmentRules()), rule.Check(withdrawalRules())); err != nil {
		t.Error(err)
	}
}
