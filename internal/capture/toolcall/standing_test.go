package toolcall

import (
	"testing"

	"recollect/internal/memory"
)

// A rule that was read before is the same as one that is read anew, until it says something else.
func TestRulesAreReadOnce(t *testing.T) {
	var held Rules
	rule := saying(memory.Preferences, "Never use npm here, use bun")
	first := held.of(&rule)
	if again := held.of(&rule); again != first {
		t.Error("a rule is read twice")
	}
	rule.Tags = []string{"about:commit"}
	if tagged := held.of(&rule); tagged == first || len(tagged.activities) <= len(first.activities) {
		t.Errorf("with a tag it is about %q, without about %q", tagged.activities, first.activities)
	}
	held.Forget()
	for i := range held {
		if held[i].Load() != nil {
			t.Fatal("a rule is held after Forget")
		}
	}
}
