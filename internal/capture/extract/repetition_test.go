package extract

import (
	"strings"
	"testing"
)

func TestUnstuffed(t *testing.T) {
	words := "the build test error file code function fix add change update run project user data "
	prose := "The pool of the shop was exhausted at noon because every customer with an open order kept a connection that nobody gave back. "
	tests := []struct{ name, in, want string }{
		{"short", words, words},
		{"prose", strings.Repeat(prose, 3), strings.Repeat(prose, 3)},
		{"a list of lines", strings.Repeat(words+"\n", 40), strings.Repeat(words+"\n", 40)},
		{"the same words over and over", "It failed.\n" + strings.Repeat(words, 40) + "\nthen", "It failed.\nthe build test error file code function fix …\nthen"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := cutRepetition(tt.in); got != tt.want {
				t.Errorf("unstuffed(%q) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}

// Whatever was stuffed, nothing that is made of the turn has more of it than its beginning.
func TestRepetitiveTurn(t *testing.T) {
	stuffed := strings.Repeat("the build test error file code function fix add change update run project user server client api ", 40)
	turn := turnOf(fails("make build", "Error: "+stuffed), passes("make build V=1"))
	turn.Prompt, turn.Replies = "please build it "+stuffed, []string{"I decided to use it because " + stuffed}
	original := turn.Actions[0].Output
	for _, m := range NewTurn(turn, app, nil).Drafts() {
		if text := m.Title + m.Body() + m.Evidence; strings.Contains(text, "client") {
			t.Errorf("%s has %q", m.Source, text)
		}
	}
	if turn.Actions[0].Output != original || !strings.Contains(turn.Prompt, "client") {
		t.Error("the turn itself was changed")
	}
}
