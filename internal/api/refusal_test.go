package api

import (
	"fmt"
	"testing"
)

// A cause is the same where it arose and after it was sent.
func TestCauseOf(t *testing.T) {
	for want, err := range map[Cause]error{
		NoKey:         fmt.Errorf("sync: %w", &CausedError{NoKey, "it is encrypted"}),
		EmptyTarget:   newRefusal(500, []byte(`{"error": "nothing is left", "cause": "empty_target"}`)),
		DeletionsHeld: fmt.Errorf("sync: %w", newRefusal(400, []byte(`{"error": "held", "cause": "deletions_held"}`))),
		"":            newRefusal(404, []byte(`{"error": "no such memory"}`)),
	} {
		if got := CauseOf(err); got != want {
			t.Errorf("CauseOf(%v) = %q, want %q", err, got, want)
		}
	}
}
