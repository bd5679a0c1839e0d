package extract

import (
	"testing"

	"recollect/internal/agents/claudecode"
)

// TestWishesBySigns reads wishes that have no form of their own, and what has the same words
// but is about one thing at hand or only tells something.
func TestWishesBySigns(t *testing.T) {
	for _, tt := range []struct {
		prompt string
		want   bool
	}{
		{"small functions please, I review on a train", true},
		{"no lambdas in the billing code", true},
		{"we are a spaces shop", true},
		{"I'm allergic to long docstrings", true},
		{"import the tide table. and single quotes only, as everywhere", true},
		{"commit titles in the past tense please", true},
		{"early returns rather than nested ifs please", true},
		{"explain every query before you run it", true},
		{"you forgot the changelog again, every release needs one", true},
		{"bitte weniger Ausrufezeichen", true},
		{"je ne veux plus de noms de variables en français", true},
		{"y nada de anglicismos en los comentarios", true},
		{"no lambdas were found in the dump", false},
		{"the docstrings are lost in the pdf", false},
		{"add comments to the reef chart", false},
		{"remove those macros", false},
		{"only format the changelog", false},
		{"are tabs allowed in a makefile?", false},
		{"no tests for now", false},
		{"i just saw that we have two formatters", false},
		{"die Antworten sind leer", false},
		{"les commentaires sont perdus", false},
		{"no hay comentarios", false},
	} {
		if got := titlesOf(tt.prompt, preferences); len(got) > 0 != tt.want {
			t.Errorf("preferences(%q) = %q, want some: %t", tt.prompt, got, tt.want)
		}
	}
}

// What Claude only acknowledged is a wish without naming a topic, if it has a sign of one.
func TestAcknowledgedWishes(t *testing.T) {
	for _, tt := range []struct {
		before, prompt, reply string
		want                  bool
	}{
		{"", "splendid. keep the harbour names in Frisian, please", "The names stay Frisian.", true},
		{"", "splendid. keep the harbour names in Frisian, please", "Which of them are not?", false},
		{"Shall the names be in Frisian?", "keep the harbour names in Frisian, please", "Done.", false},
		{"", "the harbour has two quays", "Noted.", false},
		{"", "what remains are the quays, never mind", "Until tomorrow.", false},
		{"", "translate: never moor at the northern quay", "N'amarrez jamais au quai nord.", false},
	} {
		before := NewTurn(claudecode.Turn{Session: "s1", ID: "u0", Prompt: "go on", Replies: []string{tt.before}}, app, nil)
		turn := NewTurn(claudecode.Turn{Session: "s1", ID: "u1", Prompt: tt.prompt, Replies: []string{tt.reply}}, app, before)
		if got := preferences(turn); len(got) > 0 != tt.want {
			t.Errorf("preferences(%q, answered %q) = %v, want some: %t", tt.prompt, tt.reply, got, tt.want)
		}
	}
}

// A complaint names what the next sentence does not want.
func TestComplaintAndRule(t *testing.T) {
	for prompt, want := range map[string]string{
		"again exclamation marks?? we never use them here": "The user said: exclamation marks?? we never use them here",
		"Schon wieder Makros? Das machen wir hier nicht.":  "The user said: Schon wieder Makros? Das machen wir hier nicht",
		"again macros?? they broke the build":              "",
	} {
		got := titlesOf(prompt, preferences)
		if want == "" && len(got) > 0 || want != "" && (len(got) != 1 || got[0] != want) {
			t.Errorf("preferences(%q) = %q, want %q", prompt, got, want)
		}
	}
}
