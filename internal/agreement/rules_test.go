package agreement

import (
	"testing"

	"recollect/internal/rule"
)

func TestRules(t *testing.T) {
	if err := rule.Check(agreementRules()); err != nil {
		t.Error(err)
	}
}
