package activity

import (
	_ "embed"
	"slices"
	"strings"
	"testing"
)

//go:embed testdata/wishes.txt
var wishText string

// TestAbout reads wishes with the activities that they are about, whose names have _ for a
// space there. They may be about more than is listed; "-" must be about none.
func TestAbout(t *testing.T) {
	for line := range strings.Lines(wishText) {
		names, wish, ok := strings.Cut(strings.TrimSpace(line), "|")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		got := About(wish)
		if names == "-" {
			if got != nil {
				t.Errorf("About(%q) = %q, want none", wish, got)
			}
			continue
		}
		for _, want := range strings.Fields(names) {
			if want = strings.ReplaceAll(want, "_", " "); !slices.Contains(got, want) {
				t.Errorf("About(%q) = %q, want %q among them", wish, got, want)
			}
		}
	}
}

// What a wish says to do on an occasion is not what it is about.
func TestAboutAnOccasion(t *testing.T) {
	for wish, want := range map[string]string{
		"before you commit, run the tests":          "commit",
		"run the linter before every push":          "push",
		"after a migration, restart the dev server": "migrate",
		"when you deploy, update the changelog":     "deploy",
		"vor jedem Commit die Tests starten":        "commit",
	} {
		if got := About(wish); !slices.Equal(got, []string{want}) {
			t.Errorf("About(%q) = %q, want %q alone", wish, got, want)
		}
	}
}
