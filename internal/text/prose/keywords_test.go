package prose

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestKeywords(t *testing.T) {
	got := Keywords("Why does read_all call parseFile twice? See ParseFile, MAX_SIZE and TS2345.", "HTTP, API and Go are no names, nor is a1 or 2026_02.")
	if diff := cmp.Diff([]string{"parsefile", "read_all", "max_size", "ts2345"}, got); diff != "" {
		t.Errorf("keywords (-want +got):\n%s", diff)
	}
}
