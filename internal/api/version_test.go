package api

import "testing"

func TestOlder(t *testing.T) {
	tests := []struct {
		name string
		a, b string
		want bool
	}{
		{"same", "1.2.3", "1.2.3", false},
		{"patch", "1.2.3", "1.2.4", true},
		{"minor beats patch", "1.2.9", "1.3.0", true},
		{"major beats minor", "1.9.9", "2.0.0", true},
		{"by number, not by letter", "1.9.0", "1.10.0", true},
		{"newer", "0.1.0", "0.0.1", false},
		{"short", "1", "1.0.1", true},
		{"short and the same", "1", "1.0.0", false},
		{"what follows a hyphen does not count", "1.2.3-dev", "1.2.3", false},
		{"nor what follows a plus", "1.2.3+abc", "1.2.4-rc1", true},
		{"no version is not older", "", "1.0.0", false},
		{"nor newer", "1.0.0", "", false},
		{"none at all", "", "", false},
		{"no number counts as zero", "dev", "0.0.1", true},
		{"garbage", "x.y.z", "a.b.c", false},
		{"more parts than three", "1.2.3.4", "1.2.3", true}, // "3.4" is no number
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Older(tt.a, tt.b); got != tt.want {
				t.Errorf("Older(%q, %q) = %t, want %t", tt.a, tt.b, got, tt.want)
			}
			if tt.want && Older(tt.b, tt.a) {
				t.Errorf("Older(%q, %q) = true, and so is the reverse", tt.b, tt.a)
			}
		})
	}
}
