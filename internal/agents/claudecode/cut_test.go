package claudecode

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// Wherever a key stands in what is cut, it is there whole or not at all.
func TestCutKeepsNoPartOfAKey(t *testing.T) {
	const n, key = 4096, "ghx_q7Zp2Lk9Xw4Rt6Bn8Vc3aB3dE6gH"
	for _, space := range []string{" ", "\n", "é", `"`} {
		filler := strings.Repeat("word"+space, 3*n/5)
		for at := n/2 - 2*len(key); at < n/2+len(key); at++ {
			for _, s := range []string{filler[:at] + space + key + space + filler[at:], filler + space + key + space + filler[:at]} {
				got := cut(s, n)
				if strings.Contains(strings.ReplaceAll(got, key, ""), "q7Z") || strings.Contains(strings.ReplaceAll(got, key, ""), "6gH") {
					t.Fatalf("cut at %d between %q left a part of the key", at, space)
				}
				if len(got) > n || len(got) < n/4 {
					t.Fatalf("cut at %d between %q gives %d bytes, want nearly %d", at, space, len(got), n)
				}
			}
		}
	}
}

func TestCut(t *testing.T) {
	word := strings.Repeat("k", 50)
	tests := []struct{ name, in, want string }{
		{"short", "as it is", "as it is"},
		{"lines", "first\n" + word + "\nlast", "first\n…\nlast"},
		{"words", "one two " + word + " six seven", "one two \n…\n six seven"},
		{"one word", word + word, "\n…\n"},
		{"runes", strings.Repeat("é", 50), "éééééééé\n…\néééééééé"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := cut(tt.in, 40)
			if got != tt.want || !utf8.ValidString(got) {
				t.Errorf("cut(%q, 40) = %q, want %q", tt.in, got, tt.want)
			}
		})
	}
}
