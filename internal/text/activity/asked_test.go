package activity

import (
	_ "embed"
	"slices"
	"strings"
	"testing"
)

//go:embed testdata/prompts.txt
var promptText string

// TestAsked reads prompts with the activities that they ask for, whose names have _ for a
// space there. They may ask for more than is listed; "-" must ask for nothing.
func TestAsked(t *testing.T) {
	for line := range strings.Lines(promptText) {
		names, prompt, ok := strings.Cut(strings.TrimSpace(line), "|")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		got := Asked(prompt)
		if names == "-" {
			if got != nil {
				t.Errorf("Asked(%q) = %q, want none", prompt, got)
			}
			continue
		}
		for _, want := range strings.Fields(names) {
			if want = strings.ReplaceAll(want, "_", " "); !slices.Contains(got, want) {
				t.Errorf("Asked(%q) = %q, want %q among them", prompt, got, want)
			}
		}
	}
}

// A long prompt has pasted text, which asks for nothing.
func TestAskedInLongPrompts(t *testing.T) {
	log := strings.Repeat("12:00:01 run the tests\n", 100)
	for prompt, want := range map[string]bool{"commit this\n" + log: true, "what is this?\n" + log + "why?": false, log[:700] + "\n\n" + log + "\nplease commit": true} {
		if got := slices.Contains(Asked(prompt), "commit"); got != want {
			t.Errorf("Asked(%.30q…) has commit: %t, want %t", prompt, got, want)
		}
	}
}
