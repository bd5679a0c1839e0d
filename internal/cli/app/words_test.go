package app

import (
	"testing"

	"recollect/internal/api"
)

// A reply without the id of the stored memory is an error, not a panic.
func TestOnlyID(t *testing.T) {
	for _, ids := range [][]string{nil, {"note-1", "note-2"}} {
		if id, err := OnlyID(api.Remembered{IDs: ids}); err == nil {
			t.Errorf("onlyID(%q) = %q, no error", ids, id)
		}
	}
	if id, err := OnlyID(api.Remembered{IDs: []string{"note-1"}}); id != "note-1" || err != nil {
		t.Errorf("onlyID = %q, %v", id, err)
	}
}
