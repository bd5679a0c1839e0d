package secret

import (
	"fmt"
	"strings"
	"testing"
)

// A password is corrected, repeated and compared in a text, of which only one place says that it
// is one. Names that differ in as little are not passwords.
func TestAlike(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"the same again", "the password is quiet-Lantern7, I repeat: quiet-Lantern7", "the password is [secret:password], I repeat: [secret:likely]"},
		{"one character off", "password=quiet-Lantern7, but compose passes quiet-Lantem7 or quiet-lantern7", "password=[secret:password], but compose passes [secret:likely] or [secret:password]"},
		{"two change places", "password: silver.Fern-52\nnot silver.Fern-25", "password: [secret:password]\nnot [secret:password]"},
		{"a correction alone", "Tippfehler: nicht Brunen.gasse8, sondern Brunnen.gasse8", "Tippfehler: nicht [secret:password], sondern [secret:password]"},
		{"on two lines", "see Brunen.gasse8\nand Brunnen.gasse8", "see Brunen.gasse8\nand Brunnen.gasse8"},
		{"figures", "Figure.part12 and Figure.part13, Table-9 and Table-8", "Figure.part12 and Figure.part13, Table-9 and Table-8"},
		{"points", "the line from Point.x1 to Point.y1", "the line from Point.x1 to Point.y1"},
		{"constants", "TLSVersion.TLSv1_1 or TLSVersion.TLSv1_2", "TLSVersion.TLSv1_1 or TLSVersion.TLSv1_2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Redact(tt.text); got != tt.want {
				t.Errorf("Redact(%q) = %q, want %q", tt.text, got, tt.want)
			}
		})
	}
}

// The time that a line takes grows with its length, not with the square of it.
func BenchmarkCorrections(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		var line strings.Builder
		for i := range n {
			fmt.Fprintf(&line, "Cedar.lane%d ", i%1000)
		}
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.SetBytes(int64(line.Len()))
			for b.Loop() {
				findCorrections(line.String())
			}
		})
	}
}

func TestOneEdit(t *testing.T) {
	tests := []struct {
		a, b string
		want bool
	}{
		{"lantern", "lantem", false}, {"lantern", "lanternn", true}, {"lantern", "antern", true}, {"lantern", "lenters", false},
		{"lantern", "lanternss", false}, {"lantern", "lantren", true}, {"lantern", "lantern", false}, {"ab", "ba", true}, {"", "a", true}, {"", "", false},
	}
	for _, tt := range tests {
		if got := isOneEdit(tt.a, tt.b); got != tt.want {
			t.Errorf("oneEdit(%q, %q) = %v, want %v", tt.a, tt.b, got, tt.want)
		}
	}
}
