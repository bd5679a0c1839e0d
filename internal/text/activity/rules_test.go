package activity

import (
	"testing"

	"recollect/internal/text/rule"
)

func TestRules(t *testing.T) {
	for _, tables := range []rule.Tables{rules(), calls(), subjectRules()} {
		if err := rule.Check(tables); err != nil {
			t.Error(err)
		}
	}
}
