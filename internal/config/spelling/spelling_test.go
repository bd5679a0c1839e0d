package spelling

import "testing"

func TestNearest(t *testing.T) {
	names := []string{"search", "show", "stats", "status", "journal", "limit", "n"}
	tests := []struct{ name, want string }{
		{"serach", "search"},
		{"searhc", "search"},
		{"shwo", "show"},
		{"jornal", "journal"},
		{"limti", "limit"},
		{"x", ""},
		{"frobnicate", ""},
		{"", ""},
	}
	for _, tt := range tests {
		if got := Nearest(tt.name, names); got != tt.want {
			t.Errorf("Nearest(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
}
