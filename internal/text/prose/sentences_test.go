package prose

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSentences(t *testing.T) {
	tests := []struct {
		name, in string
		want     []string
	}{
		{"empty", " \n", nil},
		{"marks", "It fails. Why? Nobody knows! Ever.", []string{"It fails.", "Why?", "Nobody knows!", "Ever."}},
		{"names and numbers", "See a.go and pkg.Run in v1.2 of it.", []string{"See a.go and pkg.Run in v1.2 of it."}},
		{"abbreviations", "Use a lock, e.g. Mutex, vs. None.", []string{"Use a lock, e.g. Mutex, vs. None."}},
		{"small letter behind", "The file app. is odd.", []string{"The file app. is odd."}},
		{"backticks", "Call `f(x). Then` twice. Done.", []string{"Call `f(x). Then` twice.", "Done."}},
		{"lines", "one\n  two \t three\n", []string{"one", "two three"}},
		{"backtick that is not closed ends with its line", "a ` b\nc. D", []string{"a ` b", "c.", "D"}},
		{"list", "1. First\n2. Second one. More.", []string{"1. First", "2. Second one.", "More."}},
		{"no Latin letters", "直しました。テスト", []string{"直しました。テスト"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Sentences(tt.in)); diff != "" {
				t.Errorf("sentences (-want +got):\n%s", diff)
			}
		})
	}
}
