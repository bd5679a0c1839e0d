package toolcall

import (
	"testing"

	"recollect/internal/text/rule"
)

func TestRules(t *testing.T) {
	if err := rule.Check(faultRules()); err != nil {
		t.Error(err)
	}
}
