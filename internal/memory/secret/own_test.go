package secret

import (
	"slices"
	"strings"
	"testing"
)

// Each of our own rules finds a secret in its first example and none in its
// second.
func TestOwnRules(t *testing.T) {
	before, after := ownRules()
	example := strings.NewReplacer("·", "")
	for _, r := range slices.Concat(before, after) {
		alone := prepareRules([]rule{r})
		if r.Takes == "" || r.Refuses == "" || r.Unless != "" && r.isNone == nil {
			t.Errorf("rule %s is not whole: %+v", r.Kind, r)
		}
		for _, above := range []string{"", "this does not work:\n"} {
			if text := above + example.Replace(r.Takes); len(alone.findByRules(text)) == 0 {
				t.Errorf("rule %s finds no secret in %q", r.Kind, text)
			}
		}
		if len(alone.findByRules(example.Replace(r.Refuses))) > 0 {
			t.Errorf("rule %s finds a secret in %q, want none", r.Kind, r.Refuses)
		}
	}
}

// A rule finds its secret as often as it stands in a text.
func TestRepeated(t *testing.T) {
	before, after := ownRules()
	example := strings.NewReplacer("·", "")
	for _, r := range slices.Concat(before, after) {
		alone := prepareRules([]rule{r})
		one := example.Replace(r.Takes)
		found := alone.findByRules(one)
		if len(found) == 0 {
			continue // TestOwnRules says so
		}
		text := strings.Repeat(one+"\n\n", 30)
		for range maxRounds {
			text = putMarkers(text, alone.findByRules(text))
		}
		if left := strings.Count(text, one[found[0].Start:found[0].End]); left > 0 {
			t.Errorf("rule %s: of 30 times %q, %d are left", r.Kind, one, left)
		}
	}
}
