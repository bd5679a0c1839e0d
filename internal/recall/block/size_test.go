package block

import "testing"

func TestUnits(t *testing.T) {
	tests := []struct {
		name, in      string
		units, tokens int
	}{
		{"empty", "", 0, 0},
		{"ASCII", "abcde", 5, 2},
		{"accents", "éé", 2, 1},
		{"beyond the first plane", "🚀🚀", 4, 1},
		{"joined emoji", "👩‍💻", 5, 2},
		{"invalid", "\xff", 1, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if u, n := Units(tt.in), Tokens(tt.in); u != tt.units || n != tt.tokens {
				t.Errorf("%q has %d units and %d tokens, want %d and %d", tt.in, u, n, tt.units, tt.tokens)
			}
		})
	}
}

func TestCutTo(t *testing.T) {
	tests := []struct {
		in    string
		limit int
		want  string
	}{
		{"pool", 4, "pool"}, {"pools", 4, "poo…"}, {"Größe", 5, "Größe"}, {"Größen", 5, "Größ…"}, {"🚀🚀", 4, "🚀🚀"}, {"🚀🚀", 3, "🚀…"}, {"🚀🚀", 2, "…"}, {"pool", 1, "…"},
	}
	for _, tt := range tests {
		t.Run(tt.in, func(t *testing.T) {
			if got := cutTo(tt.in, tt.limit); got != tt.want || Units(got) > tt.limit {
				t.Errorf("cutTo(%q, %d) = %q, want %q", tt.in, tt.limit, got, tt.want)
			}
		})
	}
}
