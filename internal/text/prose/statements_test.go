package prose

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestStatements(t *testing.T) {
	pasted := strings.Repeat("The same line again.\n", 200)
	tests := []struct {
		name   string
		prompt string
		want   []string
	}{
		{"two sentences", "Ok, use pnpm here. Then run it.", []string{"use pnpm here.", "run it."}},
		{"code is left out", "Fix it please:\n```\nuse(pnpm);\n```\nand run the tests", []string{"Fix it please:", "run the tests"}},
		{"wrapped", "We use the library that the other team has written, and\nnothing else of theirs.", []string{"We use the library that the other team has written, and nothing else of theirs."}},
		{"behind code that is announced", "Here is the log:\n```\nalways retry\n```\nNever retry payments.", []string{"Here is the log:", "Never retry payments."}},
		{"behind a quotation", "Kollege Jens schreibt:\n\n> Ohne Tests geht es.\n\nNur mit Tests.", []string{"Nur mit Tests."}},
		{"behind an announcement", "The ticket says:\n\nAlways retry.\n\nNever retry payments.", nil},
		{"code with code in it", "Read this:\n```\n# Setup\n```sh\nmake\n```\nAlways retry.\n```\nNever retry payments.", []string{"Read this:", "Never retry payments."}},
		{"a longer fence", "Read this:\n````\n```\nmake\n```\nAlways retry.\n````\nNever retry payments.", []string{"Read this:", "Never retry payments."}},
		{"below a mail", "From: Ann\nTo: Bob\nSubject: retries\n\nAlways retry.\n\n-----\n\nNever retry payments.", []string{"Never retry payments."}},
		{"a mail with a divider", "From: Ann\nSubject: retries\n\nHi\n\n-----\n\nAlways retry.\n\nAnn", nil},
		{"a divider in a mail below", "See this.\n\nFrom: Ann\nSubject: retries\n\nHi\n\n-----\n\nAlways retry.", []string{"See this."}},
		{"what somebody says", "The README claims that we retry. We never do.", []string{"We never do."}},
		{"the middle of a long one was pasted", "First of all.\n" + pasted + "Not this one.\n" + pasted + "Last of all.", []string{"First of all.", "Last of all."}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, r := range Statements(tt.prompt) {
				if r.Text != "The same line again." {
					got = append(got, r.Text)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("said (-want +got):\n%s", diff)
			}
			if n := len(Statements(tt.prompt)); n > 60 {
				t.Errorf("%d sentences of a long prompt were read", n)
			}
		})
	}
}

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
			if got := OwnLength(tt.prompt); got != tt.want {
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
