package sentence

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
			for _, r := range Read(tt.prompt).Statements() {
				if r.Text != "The same line again." {
					got = append(got, r.Text)
				}
			}
			if diff := cmp.Diff(tt.want, got); diff != "" {
				t.Errorf("said (-want +got):\n%s", diff)
			}
			if n := len(Read(tt.prompt).Statements()); n > 60 {
				t.Errorf("%d sentences of a long prompt were read", n)
			}
		})
	}
}

// The parts of a text are found once, and what is too long for a statement is kept apart.
func TestText(t *testing.T) {
	asked := 0
	text := ReadLater(func() string {
		asked++
		return "ok, agreed: we never retry payments. Shall we? Tom says we do.\n\n> we always did\n\n" + strings.Repeat("and so on ", 30)
	})
	var got []Sentence
	for range 2 {
		got = text.Statements()
	}
	want := []Sentence{
		{Text: "we never retry payments.", Bare: "we never retry payments.", Lead: "ok, agreed:", Next: "Shall we?"},
		{Text: "Shall we?", Bare: "shall we?", Next: "Tom says we do."},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("statements (-want +got):\n%s", diff)
	}
	if asked != 1 || len(text.Long()) != 1 || !got[1].Asks() {
		t.Errorf("asked %d times, %d long sentences, %+v", asked, len(text.Long()), got)
	}
	if strings.Contains(text.Typed(), "always did") || text.Topic() == "" {
		t.Errorf("typed %q about %q", text.Typed(), text.Topic())
	}
}
