package claudecode

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Records that were written into one line, broken off, or stand behind a byte order mark.
func TestLinesThatClientsBroke(t *testing.T) {
	line := func(kind, id string, second int, content any) string {
		return `{"parentUuid":null,` + strings.TrimSpace(rec(kind, id, second, content))[1:]
	}
	one, two, three := line("user", "u1", 1, "one"), line("user", "u2", 2, "two {}{ \" }{ three"), line("user", "u3", 3, "three")
	progress := `{"parentUuid":"u1","type":"progress","data":{"text":"x"},"uuid":"p"}`
	words := "two {}{ \" }{ three"
	for _, tt := range []struct {
		name, in string
		want     []string
		skipped  int
	}{
		{"one a line", one + "\n" + two + "\n" + three + "\n", []string{"one", words, "three"}, 0},
		{"two in a line", one + two + "\n" + three + "\n", []string{"one", words, "three"}, 0},
		{"three in a line", one + two + three + "\n", []string{"one", words, "three"}, 0},
		{"two with a space between", one + " \t" + two + "\n", []string{"one", words}, 0},
		{"behind what is no message", progress + one + "\n" + progress + "\n", []string{"one"}, 0},
		{"before what is no message", one + progress + two + "\n", []string{"one", words}, 0},
		{"half of one", one[:len(one)/2] + "\n" + two + "\n", []string{words}, 1},
		{"half of one before another", one[:len(one)/2] + two + "\n", []string{words}, 1},
		{"half of one within a string", one[:strings.Index(one, "app")] + two + "\n" + three + "\n", []string{words, "three"}, 1},
		{"half of what is no message before another", progress[:40] + two + "\n", []string{words}, 1},
		{"half of one that begins otherwise", one[:60] + `{"type":"user",` + three[1:] + "\n", []string{"three"}, 1},
		{"half of one behind another", one + two[:40] + "\n" + three + "\n", []string{"one", "three"}, 1},
		{"two halves", one[:40] + two[:50] + "\n" + three + "\n", []string{"three"}, 1},
		{"half of one, and two", one[:70] + two + three + "\n", []string{words, "three"}, 1},
		{"a list", "[" + one + "]\n" + two + "\n", []string{words}, 1},
		{"byte order mark", "\ufeff" + one + "\n" + two + "\n", []string{"one", words}, 0},
		{"byte order mark in the middle", one + "\n\ufeff" + two + "\n", []string{"one", words}, 0},
		{"byte order mark alone", "\ufeff\n" + one + "\n", []string{"one"}, 0},
		{"two at the end, without a newline", one + "\n" + two + three, []string{"one", words, "three"}, 0},
		{"one and a half at the end", one + "\n" + two + three[:30], []string{"one"}, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			turns, scan := read(t, tt.in, 0)
			var got []string
			for _, turn := range turns {
				got = append(got, turn.Prompt)
			}
			if diff := cmp.Diff(tt.want, got); diff != "" || scan.Skipped != tt.skipped {
				t.Errorf("prompts (-want +got):\n%sskipped %d, want %d", diff, scan.Skipped, tt.skipped)
			}
		})
	}
}
