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
