package prose

import (
	"strings"
	"testing"
)

func TestAttributed(t *testing.T) {
	for sentence, want := range map[string]bool{
		"Tom says we indent with tabs":                    true,
		"My colleague from the other team wrote: no tabs": true,
		"Someone on the forum claims that tabs are slow":  true,
		"The docs say never to use tabs":                  true,
		"Mia wants us to use tabs":                        true,
		"According to the wiki we use tabs":               true,
		"Der Kunde schreibt, wir nehmen Tabs":             true,
		"Selon l'auteur, on garde les tabulations":        true,
		"El manual dice que usemos tabuladores":           true,
		"Its message says: use tabs":                      true,

		"I said no tabs":                         false,
		"We told you to use tabs":                false,
		"As I said, no tabs":                     false,
		"Please say which tabs":                  false,
		"Use tabs, the style guide says so":      false,
		"When you propose tabs, explain why":     false,
		"Never state the obvious":                false,
		"Wir schreiben Tabs":                     false,
		"On dit tu dans les textes":              false,
		"Error messages state what has happened": false,
	} {
		if got := Attributed(sentence); got != want {
			t.Errorf("Attributed(%q) = %v, want %v", sentence, got, want)
		}
	}
}

func TestOwnLength(t *testing.T) {
	log := "```\n" + strings.Repeat("a line of a log\n", 100) + "```\n"
	for _, tt := range []struct {
		name, prompt string
		want         int
	}{
		{"nothing", "", 0},
		{"typed", "Never retry.", len("Never retry.\n")},
		{"beside code", log + "Never retry.", len("Never retry.\n")},
		{"beside a file", "<file>\n" + log + "</file>\nNever retry.", len("Never retry.\n")},
		{"beside a quotation", "> Always retry.\n\nNever retry.", len("Never retry.\n")},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if got := OwnLength(WithoutElements(tt.prompt)); got != tt.want {
				t.Errorf("OwnLength() = %d, want %d", got, tt.want)
			}
		})
	}
}

func TestTitleOfLines(t *testing.T) {
	tests := []struct{ name, asked, want string }{
		{"one line", "fix it\nnow", "fix it"},
		{"announced", "Fix this:\n\n  the parser:\nit panics\nsometimes", "Fix this: the parser: it panics"},
		{"announces nothing", "Fix this:", "Fix this:"},
		{"empty", "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Title(tt.asked); got != tt.want {
				t.Errorf("title(%q) = %q, want %q", tt.asked, got, tt.want)
			}
		})
	}
	if got := Title(strings.Repeat("and:\n", 1000)); len(got) > 2*maxAnnouncing {
		t.Errorf("a title of %d bytes", len(got))
	}
}
